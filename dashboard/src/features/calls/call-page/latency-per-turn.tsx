import type { Call } from "@parley/contract/calls";
import type { Incident } from "@parley/contract/incidents";
import { REPLY_STAGES, type TranscriptItem } from "@parley/contract/transcripts";
import { Gauge } from "lucide-react";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { delayInWords, incidentsIn, STAGE_COLOURS, StageBar, stagesOf, TurnIncidents } from "./reply-delay.tsx";
import { callPageText } from "./text.tsx";

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
      {latency ? (
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
            <th scope="col">{callPageText.turn}</th>
            <th scope="col">{callPageText.whereTheTimeWent}</th>
            <th scope="col">{callPageText.delay}</th>
          </tr>
        </thead>
        <tbody>
          {replies.map(({ turn, timing }) => (
            <tr key={turn}>
              <th scope="row" className="w-16 py-1.5 text-left align-top font-normal text-ink-soft">
                {callPageText.turnNumber(turn)}
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
