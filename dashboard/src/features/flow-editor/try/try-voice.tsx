import type { Flow } from "@parley/contract/flow";
import { Mic, PhoneOff } from "lucide-react";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { useSampleValues } from "../sample-values.ts";
import { CollectedValues, TalkLines } from "./conversation-lines.tsx";
import { ExampleValues } from "./example-values.tsx";
import { Keypad } from "./keypad.tsx";
import { SaveAsScenario } from "./save-as-scenario.tsx";
import { useVoiceTry, type VoicePhase } from "./use-voice-try.ts";
import { outcomeOfTalk } from "./voice-try.ts";

interface TryVoiceProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

const STATE_WORDS: Readonly<Record<VoicePhase["at"], string>> = {
  rest: "Not connected",
  asking: "Waiting for the microphone",
  connecting: "Connecting",
  talking: "On the line",
  over: "Over",
  refused: "Not connected",
};

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
          title="Talk with your agent"
          text="Your microphone takes the place of the phone. Say hello when you are connected: the agent waits for it. Nothing is recorded or charged."
          action={
            <Button look="primary" onClick={begin}>
              <Mic aria-hidden="true" />
              Start talking
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
            {STATE_WORDS[phase.at]}
          </Badge>
        </span>
        {isGoing ? <LevelMeter level={voice.level} /> : null}
        <span className="ml-auto">
          {phase.at === "talking" ? (
            <Button size="small" look="danger" onClick={voice.hangUp}>
              <PhoneOff aria-hidden="true" />
              Hang up
            </Button>
          ) : isGoing ? null : (
            <Button size="small" look="primary" onClick={begin}>
              <Mic aria-hidden="true" />
              Talk again
            </Button>
          )}
        </span>
      </div>
      {phase.at === "refused" ? <Notice tone="danger">{phase.message}</Notice> : null}
      {isGoing && voice.flow !== flow ? (
        <Notice tone="accent">The flow has changed since. Hang up and talk again to try it as it is now.</Notice>
      ) : null}
      {talk.lines.length > 0 || isGoing ? (
        <TalkLines lines={talk.lines} onVisit={(nodeId) => store.goTo(nodeId)} />
      ) : null}
      {phase.at === "talking" ? <Keypad isDisabled={false} onPress={voice.press} /> : null}
      {phase.at === "over" ? <SaveAsScenario agentId={agentId} outcome={outcomeOfTalk(talk, samples)} /> : null}
      <CollectedValues values={talk.collected} />
    </div>
  );
}

const BARS = 8;
/** Speech is seldom near the loudest there can be; the meter shows its usual range. */
const FULL = 0.5;

/** How loud the microphone hears you. */
function LevelMeter({ level }: { readonly level: number }) {
  const lit = Math.round(Math.min(1, Math.sqrt(level / FULL)) * BARS);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter cannot be dressed as bars.
    <span
      role="meter"
      aria-label="Microphone level"
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
