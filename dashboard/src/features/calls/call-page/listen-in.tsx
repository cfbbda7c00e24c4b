import type { Call } from "@parley/contract/calls";
import { listenToCall } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { Ear, EarOff, Volume2, VolumeX } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { addressOf } from "../../../api/send.ts";
import { formatClock } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { callPageText } from "./text.tsx";

/** Plays a call while it is live. Neither side notices. */
export function ListenIn({ call }: { readonly call: Call }) {
  const { listening, start, stop, mute } = useListening(call.id, call.mode);
  const isOnLine = call.phase === "ringing" || call.phase === "talking";
  const isOpen = listening.kind === "opening" || listening.kind === "heard";
  if (!isOnLine && !isOpen && listening.kind !== "over") return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-3">
      {isOpen ? (
        <Button onClick={stop}>
          <EarOff aria-hidden="true" />
          {callPageText.stopListening}
        </Button>
      ) : isOnLine ? (
        <Button onClick={start}>
          <Ear aria-hidden="true" />
          {callPageText.listenIn}
        </Button>
      ) : null}
      {listening.kind === "heard" ? (
        <>
          <Button
            look="quiet"
            size="icon"
            aria-label={listening.isMuted ? callPageText.hearItAgain : callPageText.mute}
            onClick={() => mute(!listening.isMuted)}
          >
            {listening.isMuted ? <VolumeX aria-hidden="true" /> : <Volume2 aria-hidden="true" />}
          </Button>
          <div aria-hidden="true" className="flex min-w-40 flex-1 flex-col gap-1.5">
            <Meter name="Agent" level={listening.levels.agent} colour="bg-accent" />
            <Meter name="Callee" level={listening.levels.callee} colour="bg-line-strong" />
          </div>
          <span className="text-sm text-ink-soft tabular-nums" data-testid="listened">
            {formatClock(listening.seconds)}
          </span>
        </>
      ) : null}
      <p role="status" className="text-sm text-ink-soft">
        {inPlain(listening)}
      </p>
    </div>
  );
}

function inPlain(listening: Listening): string {
  switch (listening.kind) {
    case "off":
      return callPageText.listenInHint;
    case "opening":
      return callPageText.openingLine;
    case "heard":
      return listening.isMuted ? callPageText.muted : callPageText.listening;
    case "over":
      return listening.why;
  }
}

function Meter({ name, level, colour }: { readonly name: string; readonly level: number; readonly colour: string }) {
  return (
    <span className="flex items-center gap-2 text-xs text-ink-soft">
      <span className="w-12">{name}</span>
      <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-sunken">
        {/* Loudness is perceived logarithmically: the square root is close enough for a bar. */}
        <span
          className={`block h-full rounded-full ${colour}`}
          style={{ width: `${Math.round(100 * Math.sqrt(level))}%` }}
        />
      </span>
    </span>
  );
}

/** Idle; connecting; playing; or ended, with the reason. */
type Listening =
  | { readonly kind: "off" }
  | { readonly kind: "opening" }
  | { readonly kind: "heard"; readonly levels: Levels; readonly seconds: number; readonly isMuted: boolean }
  | { readonly kind: "over"; readonly why: string };

interface ListeningControls {
  readonly listening: Listening;
  start(): void;
  stop(): void;
  mute(isMuted: boolean): void;
}

const WHY: Readonly<Record<number, string>> = callPageText.listeningEnded;
const NEVER_OPENED = callPageText.listeningFailed;
const BROKE_OFF = callPageText.soundBrokeOff;
const BYTES_PER_SAMPLE = 4;

/** Listens in on a live call. It ends with the page, and nothing of it is stored. */
function useListening(callId: string, mode: Mode): ListeningControls {
  const [listening, setListening] = useState<Listening>({ kind: "off" });
  const line = useRef<{ readonly socket: WebSocket; sound: LiveSound | null } | null>(null);

  const leave = useCallback(() => {
    const left = line.current;
    line.current = null;
    left?.socket.close();
    left?.sound?.close();
  }, []);
  useEffect(() => leave, [leave]);

  const start = () => {
    leave();
    setListening({ kind: "opening" });
    const address = new URL(addressOf(listenToCall, { params: { id: callId }, mode }), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    const opened: NonNullable<typeof line.current> = { socket, sound: null };
    line.current = opened;
    let rateHz = 8000;
    let seconds = 0;
    socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (line.current !== opened) return;
      if (typeof data === "string") {
        rateHz = (JSON.parse(data) as { sampleRateHz: number }).sampleRateHz;
        opened.sound = new LiveSound(rateHz);
        return;
      }
      if (!opened.sound) return;
      const levels = opened.sound.push(data);
      seconds += data.byteLength / BYTES_PER_SAMPLE / rateHz;
      setListening((now) => ({ kind: "heard", levels, seconds, isMuted: now.kind === "heard" && now.isMuted }));
    });
    socket.addEventListener("close", ({ code }) => {
      if (line.current !== opened) return;
      const wasOpen = opened.sound !== null;
      leave();
      setListening({ kind: "over", why: wasOpen ? (WHY[code] ?? BROKE_OFF) : NEVER_OPENED });
    });
  };
  const stop = () => {
    leave();
    setListening({ kind: "off" });
  };
  const mute = (isMuted: boolean) => {
    line.current?.sound?.mute(isMuted);
    setListening((now) => (now.kind === "heard" ? { ...now, isMuted } : now));
  };
  return { listening, start, stop, mute };
}

/** The level of each side of a chunk, from 0 to 1. */
interface Levels {
  readonly callee: number;
  readonly agent: number;
}

const FULL_SCALE = 32_768;
const CHANNELS = 2;

/** Plays the audio of a live call as it arrives: 16-bit stereo, mixed to mono so that one ear hears both sides. */
class LiveSound {
  readonly #context = new AudioContext();
  readonly #volume = new GainNode(this.#context);
  readonly #rateHz: number;
  #untilS = 0;

  constructor(rateHz: number) {
    this.#rateHz = rateHz;
    this.#volume.connect(this.#context.destination);
    // Browsers suspend audio until a user gesture; the click on the button was one.
    void this.#context.resume();
  }

  push(bytes: ArrayBuffer): Levels {
    const samples = new Int16Array(bytes, 0, Math.floor(bytes.byteLength / 2));
    const count = Math.floor(samples.length / CHANNELS);
    const mixed = new Float32Array(count);
    const peaks = { callee: 0, agent: 0 };
    for (let index = 0; index < count; index += 1) {
      const callee = (samples[index * CHANNELS] ?? 0) / FULL_SCALE;
      const agent = (samples[index * CHANNELS + 1] ?? 0) / FULL_SCALE;
      mixed[index] = Math.max(-1, Math.min(1, callee + agent));
      peaks.callee = Math.max(peaks.callee, Math.abs(callee));
      peaks.agent = Math.max(peaks.agent, Math.abs(agent));
    }
    if (count > 0) this.#play(mixed);
    return peaks;
  }

  #play(mixed: Float32Array<ArrayBuffer>): void {
    const startS = placePiece(this.#untilS, this.#context.currentTime);
    if (startS === null) return;
    const buffer = this.#context.createBuffer(1, mixed.length, this.#rateHz);
    buffer.copyToChannel(mixed, 0);
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.connect(this.#volume);
    source.start(startS);
    this.#untilS = startS + buffer.duration;
  }

  /** Audio that arrives meanwhile is not played later. */
  mute(isMuted: boolean): void {
    this.#volume.gain.value = isMuted ? 0 : 1;
  }

  close(): void {
    void this.#context.close();
  }
}

/** The buffer ahead of playback: it hides jitter, and is the delay of the listener. */
const LEAD_S = 0.35;
/** A chunk that arrives later than this before its turn would be heard as a click. */
const SAFE_S = 0.02;
/** A listener further behind skips to the current audio. */
const AHEAD_MAX_S = 1.5;

/**
 * When to play the next chunk of live audio, on the audio clock; null for one that is dropped because too much is
 * already queued. `untilS` is where the previous chunks end.
 */
export function placePiece(untilS: number, nowS: number): number | null {
  if (untilS < nowS + SAFE_S) return nowS + LEAD_S;
  return untilS - nowS > AHEAD_MAX_S ? null : untilS;
}
