import type { CallEvent } from "@parley/contract/call-events";
import type { Call } from "@parley/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { inWords } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { EVENT_WORDS } from "../call-labels.ts";
import { eventsQuery } from "../call-queries.ts";

/** What happened, with the time since the call was accepted. What was said is in the transcript and left out here. */
export function Timeline({ call }: { readonly call: Call }) {
  const { data: events, error } = useQuery(eventsQuery(call.mode, call.id));
  if (error) return <Notice tone="danger">{inWords(error)}</Notice>;
  if (!events) return <SkeletonRows count={4} label="Fetching the timeline" />;
  const startedMs = Date.parse(call.createdAt);
  return (
    <ol className="space-y-0 px-4 py-4 text-sm sm:px-5">
      {events
        .filter(({ type }) => type !== "call.transcript_extended")
        .map((event) => (
          <li key={event.sequence} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3">
            <time dateTime={event.createdAt} className="py-1.5 text-right text-ink-soft tabular-nums">
              {formatSince(Date.parse(event.createdAt) - startedMs)}
            </time>
            <span className="relative border-l border-line py-1.5 pl-5 before:absolute before:top-3.5 before:-left-[4.5px] before:size-2 before:rounded-full before:bg-accent">
              <span className="block">{EVENT_WORDS[event.type]}</span>
              <Detail event={event} />
            </span>
          </li>
        ))}
    </ol>
  );
}

function Detail({ event }: { readonly event: CallEvent }) {
  // What the request said stands on the page already.
  if (event.type === "call.initiated") return null;
  if (event.type === "call.incident") {
    return (
      <span className="block text-xs break-words text-ink-soft">{`${event.data["effect"]} ${event.data["reason"]}`}</span>
    );
  }
  const told = Object.entries(event.data)
    .filter(([, value]) => typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    .map(([name, value]) => `${inPlain(name)}: ${inPlain(String(value))}`);
  return told.length > 0 ? <span className="block text-xs break-words text-ink-soft">{told.join(" · ")}</span> : null;
}

/** Field names and codes as words: endReason is "end reason", callee_hangup is "callee hangup". */
function inPlain(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replaceAll("_", " ");
}

function formatSince(ms: number): string {
  return `+${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
