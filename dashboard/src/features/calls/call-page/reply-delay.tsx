import type { Incident } from "@parley/contract/incidents";
import type { ReplyStage, ReplyStageName, ReplyTiming } from "@parley/contract/transcripts";
import { TriangleAlert } from "lucide-react";
import { formatTenths } from "../../../ui/figures.ts";
import { causeOf } from "../call-labels.ts";
import { callsText } from "../text.ts";
import { callPageText } from "./text.tsx";

/** The parts of the bar. Stages that grow when the machine is overloaded have the colour of warnings. */
export const STAGE_COLOURS: Readonly<Record<ReplyStageName, string>> = {
  hold: "bg-line-strong/60",
  detection: "bg-warning-text/30",
  recognition_queue: "bg-warning-text/60",
  recognition: "bg-accent/30",
  own_speech: "bg-line-strong/30",
  scheduling: "bg-warning-text",
  judges: "bg-accent/45",
  model: "bg-accent/60",
  tool: "bg-ink-soft/60",
  flow: "bg-accent/75",
  voice: "bg-accent",
  playout: "bg-ink-soft",
};

interface DescribedStage extends ReplyStage {
  readonly name: string;
  readonly colour: string;
}

/** What the callee waited for before a reply, in order. Replies of earlier releases have four coarse stages. */
export function stagesOf({ stages, ...timing }: ReplyTiming): readonly DescribedStage[] {
  const coarse: readonly ReplyStage[] = [
    { stage: "hold", ms: timing.holdMs },
    { stage: "recognition", ms: timing.recognitionMs },
    { stage: "flow", ms: timing.decisionMs },
    { stage: "voice", ms: timing.firstAudioMs },
  ];
  return (stages ?? coarse)
    .filter(({ ms }) => ms > 0)
    .map((each) => ({ ...each, name: callPageText.stages[each.stage], colour: STAGE_COLOURS[each.stage] }));
}

/** How long the callee waited for a reply, and what took longest. */
export function delayInWords(timing: ReplyTiming): string {
  const after = callPageText.answeredAfter(durationInWords(timing.totalMs));
  const [slowest] = stagesOf(timing).toSorted((one, other) => other.ms - one.ms);
  return slowest === undefined
    ? after
    : `${after}: ${callPageText.slowestStage[slowest.stage](durationInWords(slowest.ms))}`;
}

function durationInWords(ms: number): string {
  return ms < 100 ? `${ms} ms` : `${formatTenths(ms / 1000)} s`;
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
    <ul aria-label={callPageText.problemsInTurn} className="space-y-0.5 text-xs text-warning-text">
      {incidents.map(({ what, reason, effect }) => (
        <li key={`${what} ${reason}`} className="flex items-start gap-1.5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-3 shrink-0" />
          <span className="min-w-0 break-words">{`${callsText.incidentEffect({ what, effect })} ${causeOf({ reason, count: 1 })}`}</span>
        </li>
      ))}
    </ul>
  );
}

export function incidentsIn(incidents: readonly Incident[], turn: number): readonly Incident[] {
  return incidents.filter(({ turns }) => turns?.includes(turn));
}
