import type { Call } from "@parley/contract/calls";
import type { Incident } from "@parley/contract/incidents";
import {
  REPLY_STAGES,
  type ReplyStage,
  type ReplyStageName,
  type ReplyTiming,
  type TranscriptItem,
} from "@parley/contract/transcripts";
import { Gauge, TriangleAlert } from "lucide-react";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatTenths } from "../../../ui/figures.ts";
import { causeOf } from "../call-labels.ts";
import { callsText } from "../text.ts";
import { callPageText } from "./text.tsx";

/** The parts of the bar. Stages that grow when the machine is overloaded have the colour of warnings. */
const STAGE_COLOURS: Readonly<Record<ReplyStageName, string>> = {
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
function StageBar({ timing, fullMs, className = "h-4" }: StageBarProps) {
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

interface LatencyProps {
  readonly latency: Call["latency"];
  readonly incidents: readonly Incident[];
  readonly items: readonly TranscriptItem[];
}

/** How long the callee waited for each reply, and where that time went. */
export function LatencyPerTurn({ latency, incidents, items }: LatencyProps) {
  const replies = items.flatMap((item) =>
    item.type === "speech" && item.timing ? [{ turn: item.turn, timing: item.timing }] : [],
  );
  if (replies.length === 0) {
    return <EmptyState icon={<Gauge />} title={callPageText.noReplies} text={callPageText.noRepliesHint} />;
  }
  const longestMs = Math.max(...replies.map(({ timing }) => timing.totalMs));
  const shown = new Set(replies.flatMap(({ timing }) => stagesOf(timing).map(({ stage }) => stage)));
  const legend = REPLY_STAGES.filter((stage) => shown.has(stage));
  return (
    <div className="space-y-4 px-4 py-4 sm:px-5">
      {latency && replies.length > 1 ? (
        <p className="text-sm text-ink-soft">
          {callPageText.delayFigures(
            `${Math.round(latency.responseMsP50 ?? 0)} ms`,
            `${Math.round(latency.responseMsP95 ?? 0)} ms`,
            (words) => (
              <strong className="font-semibold text-ink">{words}</strong>
            ),
          )}
        </p>
      ) : null}
      <table className="w-full text-sm">
        <caption className="sr-only">{callPageText.delaysCaption}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{callPageText.reply}</th>
            <th scope="col">{callPageText.whereTheTimeWent}</th>
            <th scope="col">{callPageText.delay}</th>
          </tr>
        </thead>
        <tbody>
          {replies.map(({ turn, timing }, index) => (
            <tr key={turn}>
              <th scope="row" className="w-16 py-1.5 text-left align-top font-normal text-ink-soft">
                {callPageText.replyNumber(index + 1)}
              </th>
              <td className="space-y-1 py-1.5">
                <StageBar timing={timing} fullMs={longestMs} />
                <p className="text-xs text-ink-soft">{delayInWords(timing)}</p>
                <TurnIncidents incidents={incidentsIn(incidents, turn)} />
              </td>
              <td className="w-20 py-1.5 text-right align-top tabular-nums">{`${timing.totalMs} ms`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-soft">
        {legend.map((stage) => (
          <li key={stage} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-full ${STAGE_COLOURS[stage]}`} />
            {callPageText.stages[stage]}
          </li>
        ))}
      </ul>
    </div>
  );
}
