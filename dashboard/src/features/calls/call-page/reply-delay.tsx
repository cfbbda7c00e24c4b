import type { Incident } from "@parley/contract/incidents";
import type { ReplyStage, ReplyStageName, ReplyTiming } from "@parley/contract/transcripts";
import { TriangleAlert } from "lucide-react";
import { causeOf } from "../call-labels.ts";

interface StageText {
  /** Its name in a list. */
  readonly name: string;
  /** What happened, to be followed by how long it took. */
  readonly happened: string;
  /** Its part of the bar. Stages that grow when the machine is overloaded have the colour of warnings. */
  readonly colour: string;
}

export const STAGES: Readonly<Record<ReplyStageName, StageText>> = {
  hold: {
    name: "Making sure the callee had finished",
    happened: "making sure the callee had finished took",
    colour: "bg-line-strong/60",
  },
  detection: {
    name: "Noticing the end of speech",
    happened: "the end of speech was noticed late, by",
    colour: "bg-warning-text/30",
  },
  recognition_queue: {
    name: "Speech recognition, waiting",
    happened: "speech recognition waited",
    colour: "bg-warning-text/60",
  },
  recognition: {
    name: "Speech recognition, working",
    happened: "speech recognition took",
    colour: "bg-accent/30",
  },
  own_speech: {
    name: "The agent was still speaking",
    happened: "the agent was still speaking for",
    colour: "bg-line-strong/30",
  },
  scheduling: {
    name: "The machine was busy",
    happened: "the machine was busy for",
    colour: "bg-warning-text",
  },
  judges: {
    name: "Judging the answer",
    happened: "judging the answer took",
    colour: "bg-accent/45",
  },
  model: {
    name: "Language model",
    happened: "the language model took",
    colour: "bg-accent/60",
  },
  tool: {
    name: "Request to another system",
    happened: "a request to another system took",
    colour: "bg-ink-soft/60",
  },
  flow: {
    name: "Deciding what to say",
    happened: "deciding what to say took",
    colour: "bg-accent/75",
  },
  voice: {
    name: "Voice, until its first audio",
    happened: "the voice took",
    colour: "bg-accent",
  },
  playout: {
    name: "Sending the first audio",
    happened: "sending the first audio took",
    colour: "bg-ink-soft",
  },
};

/** A stage with the texts that describe it. */
interface DescribedStage extends StageText {
  readonly stage: ReplyStageName;
  readonly ms: number;
}

/** What the callee waited for before a reply, in order. Replies of earlier releases have four coarse stages. */
export function stagesOf({ stages, ...timing }: ReplyTiming): readonly DescribedStage[] {
  const coarse: readonly ReplyStage[] = [
    { stage: "hold", ms: timing.holdMs },
    { stage: "recognition", ms: timing.recognitionMs },
    { stage: "flow", ms: timing.decisionMs },
    { stage: "voice", ms: timing.firstAudioMs },
  ];
  return (stages ?? coarse).filter(({ ms }) => ms > 0).map((each) => ({ ...each, ...STAGES[each.stage] }));
}

/** How long the callee waited for a reply, and what took longest. */
export function delayInWords(timing: ReplyTiming): string {
  const after = `Answered after ${durationInWords(timing.totalMs)}`;
  const [slowest] = stagesOf(timing).toSorted((one, other) => other.ms - one.ms);
  return slowest === undefined ? after : `${after}: ${slowest.happened} ${durationInWords(slowest.ms)}`;
}

function durationInWords(ms: number): string {
  return ms < 100 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The delay of a reply, below its words in the transcript. It is not announced during a live call. */
export function ReplyDelay({ timing }: { readonly timing: ReplyTiming }) {
  return (
    <div aria-live="off" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-soft">
      <span>{delayInWords(timing)}</span>
      <span className="w-32">
        <StageBar timing={timing} fullMs={timing.totalMs} className="h-1.5" />
      </span>
    </div>
  );
}

interface StageBarProps {
  readonly timing: ReplyTiming;
  /** The delay that fills the whole width. */
  readonly fullMs: number;
  readonly className?: string;
}

/** What the callee waited for before a reply: a bar, and a list for readers who do not see it. */
export function StageBar({ timing, fullMs, className = "h-4" }: StageBarProps) {
  const stages = stagesOf(timing);
  return (
    <>
      <span className="sr-only">{stages.map(({ name, ms }) => `${name}: ${ms} ms`).join(", ")}</span>
      <span aria-hidden="true" className={`flex gap-px overflow-hidden rounded ${className}`}>
        {stages.map(({ stage, name, ms, colour }) => (
          <span
            key={stage}
            title={`${name}: ${ms} ms`}
            // A few milliseconds stay visible beside a long wait.
            className={`min-w-0.5 ${colour}`}
            style={{ width: `${(100 * ms) / Math.max(fullMs, 1)}%` }}
          />
        ))}
      </span>
    </>
  );
}

/** What failed on our side in a turn, beside that turn. */
export function TurnIncidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  if (incidents.length === 0) return null;
  return (
    <ul aria-label="Problems on our side in this turn" className="space-y-0.5 text-xs text-warning-text">
      {incidents.map(({ what, reason, effect }) => (
        <li key={`${what} ${reason}`} className="flex items-start gap-1.5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-3 shrink-0" />
          <span className="min-w-0 break-words">{`${effect} ${causeOf({ reason, count: 1 })}`}</span>
        </li>
      ))}
    </ul>
  );
}

export function incidentsIn(incidents: readonly Incident[], turn: number): readonly Incident[] {
  return incidents.filter(({ turns }) => turns?.includes(turn));
}
