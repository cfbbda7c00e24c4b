import type { Usage } from "@parley/contract/usage";
import { Link } from "@tanstack/react-router";
import { Card } from "../../ui/card.tsx";
import { END_REASON_WORDS } from "../calls/call-words.ts";
import { formatCount, formatShare } from "./usage-words.ts";

const SHOWN_MAX = 8;

/** How calls ended, the most frequent first. Each leads to those calls. */
export function EndReasons({ usage: { endReasons, from } }: { readonly usage: Usage }) {
  const ended = endReasons.reduce((sum, { calls }) => sum + calls, 0);
  const shown = endReasons.slice(0, SHOWN_MAX);
  const others = endReasons.slice(SHOWN_MAX).reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Card title="How calls ended">
      {ended === 0 ? (
        <p className="grid h-44 place-items-center rounded-lg bg-sunken/60 px-4 text-sm text-ink-soft">
          No call has ended in this period.
        </p>
      ) : (
        <ol className="space-y-1">
          {shown.map(({ endReason, calls }) => (
            <li key={endReason}>
              <Link
                to="/calls"
                search={{ endReason, createdAfter: from }}
                className="block rounded-lg px-2 py-1.5 text-sm hover:bg-sunken"
              >
                <span className="flex justify-between gap-4">
                  <span className="truncate">{END_REASON_WORDS[endReason]}</span>
                  <span className="shrink-0 text-ink-soft tabular-nums">
                    {formatCount(calls)} · {formatShare((100 * calls) / ended)}
                  </span>
                </span>
                <span aria-hidden="true" className="mt-1.5 block h-1 overflow-hidden rounded-full bg-sunken">
                  <span
                    className="block h-full rounded-full bg-accent"
                    style={{ width: `${(100 * calls) / ended}%` }}
                  />
                </span>
              </Link>
            </li>
          ))}
          {others > 0 ? (
            <li className="px-2 py-1.5 text-sm text-ink-soft">{formatCount(others)} in other ways</li>
          ) : null}
        </ol>
      )}
    </Card>
  );
}
