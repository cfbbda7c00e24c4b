import { createFrame, durationMsOf, FRAME_MS, FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import { mixInto } from "@parley/audio/gain";
import { gainOf } from "@parley/audio/level";
import { createPlayout, type PlayoutSize } from "@parley/audio/playout-layout";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { Clock } from "@parley/time/clock";
import type { Line, LineEvent, LineTransfer } from "../ports/line.ts";

export interface FakeLineOptions {
  readonly clock: Clock;
  /** Called after each frame, with what was played in it. */
  readonly afterFrame?: (played: Int16Array, positionMs: number) => void;
  /** Echoes what is played, with this delay (at most a second, by the position of the line) and attenuation. */
  readonly echo?: { readonly lagMs: number | ((positionMs: number) => number); readonly lossDb: number };
  readonly roundTripMs?: number;
  readonly playout?: PlayoutSize;
  /** Background audio such as music: fills a frame, beginning at this position. */
  readonly background?: (frame: Int16Array, positionMs: number) => void;
}

export interface FakeLine extends Line {
  /** Where the line is, in milliseconds of the leg. */
  readonly positionMs: number;
  readonly isTicking: boolean;
  /** Makes the callee audible, from now or from a given moment. */
  hear(sound: Int16Array, fromMs?: number): void;
  /** The callee falls silent in the middle of a word. */
  hush(): void;
  /** Receives the events of the line. */
  connect(tell: (event: LineEvent) => void): void;
  answer(): void;
  tell(event: LineEvent): void;
  /** The far end hangs up. */
  end(): void;
  /** No frame moves any more, as if the media thread had died. */
  stall(): void;
  /** Where the agent was audible, as stretches of audio with less than 150 ms of silence in them. */
  readonly agentSpoke: readonly { readonly startMs: number; readonly endMs: number; readonly peak: number }[];
  readonly keysSent: readonly string[];
  readonly transfers: readonly LineTransfer[];
  readonly hangups: number;
}

/** The words of the fake voice are 100 ms apart. */
const GAP_MS = 150;
const ECHO_LAG_MAX_MS = 1_000;

/** A telephone line in memory: two rings, a playout queue, and a tick that moves a frame of each every 20 ms. */
export function createFakeLine(options: FakeLineOptions): FakeLine {
  const { clock, echo } = options;
  const heard = createRing();
  const played = createRing();
  const playout = createPlayout(options.playout);
  const heardWriter = new RingWriter(heard);
  const playedWriter = new RingWriter(played);
  const player = new PlayoutPlayer(playout);
  const playedFrame = createFrame();
  const heardFrame = createFrame();
  const comingBack = new Int16Array(echo ? samplesIn(ECHO_LAG_MAX_MS) + FRAME_SAMPLES : 0);
  let spoken: { start: number; sound: Int16Array }[] = [];
  let cancel: (() => void) | null = null;
  let tell: (event: LineEvent) => void = () => undefined;
  let hasEnded = false;
  const keysSent: string[] = [];
  const transfers: LineTransfer[] = [];
  const agentSpoke: { startMs: number; endMs: number; peak: number }[] = [];
  let hangups = 0;

  function tick(): void {
    cancel = clock.setTimer(FRAME_MS, tick);
    const position = playedWriter.position;
    player.pull(playedFrame, position);
    fillHeard(position);
    heardWriter.write(heardFrame);
    playedWriter.write(playedFrame);
    noteAgent(durationMsOf(position));
    options.afterFrame?.(playedFrame, durationMsOf(position + FRAME_SAMPLES));
  }

  function fillHeard(position: number): void {
    heardFrame.fill(0);
    options.background?.(heardFrame, durationMsOf(position));
    for (const { start, sound } of spoken) {
      const from = Math.max(0, position - start);
      const at = Math.max(0, start - position);
      if (at < FRAME_SAMPLES && from < sound.length) {
        mixInto(heardFrame.subarray(at), sound.subarray(from, from + FRAME_SAMPLES - at));
      }
    }
    spoken = spoken.filter(({ start, sound }) => start + sound.length > position + FRAME_SAMPLES);
    if (!echo) return;
    comingBack.copyWithin(0, FRAME_SAMPLES);
    comingBack.set(playedFrame, comingBack.length - FRAME_SAMPLES);
    const lagMs = typeof echo.lagMs === "number" ? echo.lagMs : echo.lagMs(durationMsOf(position));
    const end = comingBack.length - samplesIn(lagMs);
    mixInto(heardFrame, comingBack.subarray(end - FRAME_SAMPLES, end), gainOf(-echo.lossDb));
  }

  function noteAgent(startMs: number): void {
    const peak = playedFrame.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
    if (peak === 0) return;
    const last = agentSpoke.at(-1);
    const endMs = startMs + FRAME_MS;
    if (last === undefined || startMs - last.endMs >= GAP_MS) agentSpoke.push({ startMs, endMs, peak });
    else agentSpoke[agentSpoke.length - 1] = { startMs: last.startMs, endMs, peak: Math.max(last.peak, peak) };
  }

  function stop(): void {
    cancel?.();
    cancel = null;
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    stop();
    heardWriter.close();
    playedWriter.close();
    tell({ type: "ended" });
  }

  tick();
  return {
    heard,
    played,
    playout,
    keysSent,
    transfers,
    agentSpoke,
    roundTripMs: () => options.roundTripMs ?? null,
    sendDtmf: (keys) => void keysSent.push(keys),
    transfer: (request) => void transfers.push(request),
    hangup() {
      hangups += 1;
      end();
    },
    get hangups() {
      return hangups;
    },
    get positionMs() {
      return durationMsOf(playedWriter.position);
    },
    get isTicking() {
      return cancel !== null;
    },
    hear(sound, fromMs) {
      const start = fromMs === undefined ? heardWriter.position : samplesIn(fromMs);
      spoken.push({ start, sound });
    },
    hush() {
      spoken = [];
    },
    connect(listener) {
      tell = listener;
    },
    answer: () => tell({ type: "answered" }),
    tell: (event) => tell(event),
    end,
    stall: stop,
  };
}
