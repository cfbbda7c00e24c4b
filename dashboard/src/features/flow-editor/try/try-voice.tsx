import type { Flow } from "@parley/contract/flow";
import { tryAgentByVoice } from "@parley/contract/routes/try-voice";
import { type TryVoiceCommand, TryVoiceEvent } from "@parley/contract/try-voice";
import { Mic, PhoneOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { addressOf } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import {
  type Loudspeaker,
  type Microphone,
  type MicrophoneRefusal,
  NoMicrophone,
  openLoudspeaker,
  openMicrophone,
} from "../audio/audio-devices.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { type SampleValues, useSampleValues } from "../sample-values.ts";
import { CollectedValues, TalkLines } from "./conversation-lines.tsx";
import { ExampleValues } from "./example-values.tsx";
import { Keypad } from "./keypad.tsx";
import { SaveAsScenario } from "./save-as-scenario.tsx";
import { editorTryText } from "./text.tsx";
import { applyVoiceEvent, NOTHING_SAID, outcomeOfTalk, type VoiceTalk } from "./voice-try.ts";

interface TryVoiceProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

const STATE_LABELS: Readonly<Record<VoicePhase["at"], string>> = editorTryText.states;

/** A conversation by voice, as on the phone. */
export function TryVoice({ agentId, flow, store }: TryVoiceProps) {
  const voice = useVoiceTry(agentId, store);
  const samples = useSampleValues(agentId);
  const { phase, talk } = voice;
  const begin = () => void voice.begin(samples);
  const isGoing = phase.at === "talking" || phase.at === "connecting" || phase.at === "asking";
  if (phase.at === "rest") {
    return (
      <div className="space-y-4">
        <ExampleValues agentId={agentId} names={flow.variables} />
        <EmptyState
          icon={<Mic />}
          title={editorTryText.voiceTitle}
          text={editorTryText.voiceLead}
          action={
            <Button look="primary" onClick={begin}>
              <Mic aria-hidden="true" />
              {editorTryText.startTalking}
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <span role="status">
          <Badge tone={phase.at === "talking" ? "accent" : "neutral"} isLive={isGoing}>
            {STATE_LABELS[phase.at]}
          </Badge>
        </span>
        {isGoing ? <LevelMeter level={voice.level} /> : null}
        <span className="ml-auto">
          {phase.at === "talking" ? (
            <Button size="small" look="danger" onClick={voice.hangUp}>
              <PhoneOff aria-hidden="true" />
              {editorTryText.hangUp}
            </Button>
          ) : isGoing ? null : (
            <Button size="small" look="primary" onClick={begin}>
              <Mic aria-hidden="true" />
              {editorTryText.talkAgain}
            </Button>
          )}
        </span>
      </div>
      {phase.at === "refused" ? <Notice tone="danger">{phase.message}</Notice> : null}
      {isGoing && voice.flow !== flow ? <Notice tone="accent">{editorTryText.voiceFlowChanged}</Notice> : null}
      {talk.lines.length > 0 || isGoing ? (
        <TalkLines lines={talk.lines} onVisit={(nodeId) => store.goTo(nodeId)} />
      ) : null}
      {phase.at === "talking" ? <Keypad isDisabled={false} onPress={voice.press} /> : null}
      {phase.at === "over" ? (
        <SaveAsScenario agentId={agentId} flow={voice.flow ?? flow} outcome={outcomeOfTalk(talk, samples)} />
      ) : null}
      <CollectedValues values={talk.collected} />
    </div>
  );
}

const BARS = 8;
/** Speech is rarely near the maximum level; the meter shows its usual range. */
const FULL = 0.5;

/** The level of the microphone. */
function LevelMeter({ level }: { readonly level: number }) {
  const lit = Math.round(Math.min(1, Math.sqrt(level / FULL)) * BARS);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter cannot be dressed as bars.
    <span
      role="meter"
      aria-label={editorTryText.microphoneLevel}
      aria-valuemin={0}
      aria-valuemax={BARS}
      aria-valuenow={lit}
      className="flex items-end gap-0.5"
    >
      {Array.from({ length: BARS }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike.
          key={index}
          className={`w-1 rounded-sm ${HEIGHTS[index] ?? "h-5"} ${index < lit ? "bg-accent" : "bg-line"}`}
        />
      ))}
    </span>
  );
}

const HEIGHTS = ["h-1.5", "h-2", "h-2.5", "h-3", "h-3.5", "h-4", "h-4.5", "h-5"];

/** From asking for the microphone to the end of the conversation. */
type VoicePhase =
  | { readonly at: "rest" }
  | { readonly at: "asking" }
  | { readonly at: "connecting" }
  | { readonly at: "talking" }
  | { readonly at: "over" }
  | { readonly at: "refused"; readonly message: string };

const NOT_REACHED = editorTryText.connectionLost;

/** A conversation with the agent through the microphone, with the same engine as on the phone. */
function useVoiceTry(agentId: string, store: EditorStore) {
  const [phase, setPhase] = useState<VoicePhase>({ at: "rest" });
  const [talk, setTalk] = useState<VoiceTalk>(NOTHING_SAID);
  const [level, setLevel] = useState(0);
  const [flow, setFlow] = useState<Flow | null>(null);
  const line = useRef<Line | null>(null);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      line.current?.close();
      store.setActiveNode(null);
      store.setPath([]);
    };
  }, [store]);

  const hear = (event: TryVoiceEvent, now: VoiceTalk, tried: Flow): VoiceTalk => {
    const next = applyVoiceEvent(now, event, tried);
    if (event.type === "ready") setPhase({ at: "talking" });
    if (event.type === "refused") setPhase({ at: "refused", message: apiText.wordError(event) });
    if (event.type === "ended") setPhase({ at: "over" });
    if (next.path !== now.path) {
      store.setPath(next.path);
      store.setActiveNode(next.path.at(-1)?.nodeId ?? null);
    }
    return next;
  };

  const begin = async (variables: SampleValues) => {
    line.current?.close();
    const tried = store.getSnapshot().flow;
    let now = NOTHING_SAID;
    setTalk(now);
    setFlow(tried);
    setLevel(0);
    setPhase({ at: "asking" });
    try {
      const opened = await openLine(agentId, {
        start: { type: "start", sampleRateHz: 16_000, flow: tried, variables: filled(variables) },
        onConnecting: () => setPhase({ at: "connecting" }),
        onLevel: setLevel,
        onEvent: (event) => {
          now = hear(event, now, tried);
          setTalk(now);
        },
        onClosed: () => {
          setLevel(0);
          setPhase((last) =>
            last.at === "refused" || last.at === "over" ? last : { at: "refused", message: NOT_REACHED },
          );
        },
      });
      line.current = opened;
      // It was left while the browser asked for the microphone.
      if (isLeft.current) opened.close();
    } catch (error) {
      const message = error instanceof NoMicrophone ? microphoneWords(error.refusal) : NOT_REACHED;
      setPhase({ at: "refused", message });
    }
  };
  return {
    phase,
    talk,
    level,
    flow,
    begin,
    press: (key: string) => line.current?.send({ type: "press", keys: key }),
    hangUp: () => line.current?.send({ type: "hang_up" }),
  };
}

interface LineOptions {
  readonly start: TryVoiceCommand & { readonly type: "start" };
  onConnecting(): void;
  onLevel(peak: number): void;
  onEvent(event: TryVoiceEvent): void;
  onClosed(): void;
}

interface Line {
  send(command: TryVoiceCommand): void;
  close(): void;
}

/** Microphone, loudspeaker and socket: all three, or none. */
async function openLine(
  agentId: string,
  { start, onConnecting, onLevel, onEvent, onClosed }: LineOptions,
): Promise<Line> {
  let socket: WebSocket | null = null;
  let isReady = false;
  let speaker: Loudspeaker | null = null;
  let microphone: Microphone | null = null;
  const close = () => {
    microphone?.close();
    speaker?.close();
    socket?.close();
  };
  microphone = await openMicrophone((samples, peak) => {
    onLevel(peak);
    if (isReady && socket?.readyState === WebSocket.OPEN) socket.send(samples);
  });
  onConnecting();
  try {
    speaker = await openLoudspeaker(8000);
  } catch (error) {
    close();
    throw error;
  }
  const address = addressOf(tryAgentByVoice, { params: { id: agentId } });
  socket = new WebSocket(location.origin.replace(/^http/, "ws") + address);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", () => socket.send(JSON.stringify(start)));
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== "string") return speaker.play(data);
    const event = TryVoiceEvent.safeParse(JSON.parse(data));
    if (!event.success) return;
    isReady ||= event.data.type === "ready";
    onEvent(event.data);
  });
  socket.addEventListener("close", () => {
    // The agent's last audio is still playing.
    setTimeout(() => speaker.close(), 1000);
    microphone.close();
    onClosed();
  });
  return {
    send: (command) => (socket.readyState === WebSocket.OPEN ? socket.send(JSON.stringify(command)) : undefined),
    close,
  };
}

function filled(variables: SampleValues): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
}

const WORDS: Readonly<Record<MicrophoneRefusal, string>> = editorTryText.microphone;

/** What to do about a missing microphone. */
function microphoneWords(refusal: MicrophoneRefusal): string {
  return WORDS[refusal];
}
