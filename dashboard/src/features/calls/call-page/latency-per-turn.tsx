import type { Call } from "@parley/contract/calls";
import type { ReplyTiming, TranscriptItem } from "@parley/contract/transcripts";
import { Gauge } from "lucide-react";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";

interface LatencyProps {
  readonly latency: Call["latency"];
  readonly items: readonly TranscriptItem[];
}

const PARTS = [
  { name: "Waiting whether they were done", key: "holdMs", colour: "bg-line-strong" },
  { name: "Understanding", key: "recognitionMs", colour: "bg-accent/45" },
  { name: "Deciding", key: "decisionMs", colour: "bg-accent/70" },
  { name: "First sound", key: "firstAudioMs", colour: "bg-accent" },
] as const satisfies readonly { name: string; key: keyof ReplyTiming; colour: string }[];

/** How long the callee waited for each reply, and where that time went. */
export function LatencyPerTurn({ latency, items }: LatencyProps) {
  const replies = items.flatMap((item) =>
    item.type === "speech" && item.timing ? [{ turn: item.turn, timing: item.timing }] : [],
  );
  if (replies.length === 0) {
    return (
      <EmptyState
        icon={<Gauge />}
        title="No replies were measured"
        text="Each reply to the callee is shown here with its delay."
      />
    );
  }
  const longestMs = Math.max(...replies.map(({ timing }) => timing.totalMs), 1);
  return (
    <div className="space-y-4 px-4 py-4 sm:px-5">
      {latency ? (
        <p className="text-sm text-ink-soft">
          Half of the replies came within{" "}
          <strong className="font-semibold text-ink">{Math.round(latency.responseMsP50 ?? 0)} ms</strong>, 95 of 100
          within <strong className="font-semibold text-ink">{Math.round(latency.responseMsP95 ?? 0)} ms</strong>.
        </p>
      ) : null}
      <table className="w-full text-sm">
        <caption className="sr-only">Delay of each reply</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">Where the time went</th>
            <th scope="col">Delay</th>
          </tr>
        </thead>
        <tbody>
          {replies.map(({ turn, timing }) => (
            <tr key={turn}>
              <th scope="row" className="w-16 py-1.5 text-left font-normal text-ink-soft">
                Turn {turn}
              </th>
              <td className="py-1.5">
                <span className="sr-only">{PARTS.map(({ name, key }) => `${name}: ${timing[key]} ms`).join(", ")}</span>
                <span aria-hidden="true" className="flex h-4 gap-px overflow-hidden rounded">
                  {PARTS.map(({ key, name, colour }) => (
                    <span
                      key={key}
                      title={`${name}: ${timing[key]} ms`}
                      className={colour}
                      style={{ width: `${(100 * Math.max(0, timing[key])) / longestMs}%` }}
                    />
                  ))}
                </span>
              </td>
              <td className="w-20 py-1.5 text-right tabular-nums">{timing.totalMs} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-ink-soft">
        {PARTS.map(({ name, key, colour }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-full ${colour}`} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
