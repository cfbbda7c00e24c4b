import type { Call } from "@parley/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Badge } from "../../ui/feedback/badge.tsx";
import { formatClock, formatCountry, formatFull, formatMoment, formatUsd } from "../../ui/format.ts";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { ANSWERED_BY_LABELS, badgeOf, END_REASON_LABELS, networkInWords } from "./call-labels.ts";

interface CallsTableProps {
  readonly calls: readonly Call[];
  readonly hasMore: boolean;
  readonly isFetchingMore: boolean;
  onWantMore(): void;
}

const ROW_PX = 68;
const COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 px-4 sm:px-5 lg:grid-cols-[7.5rem_minmax(0,1.6fr)_7rem_minmax(0,1.2fr)_6.5rem_4rem_4.5rem]";

/** The calls as a table of which only the visible rows exist, however many there are. */
export function CallsTable({ calls, hasMore, isFetchingMore, onWantMore }: CallsTableProps) {
  const place = useRef<HTMLDivElement>(null);
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => setTopPx((place.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const rows = useWindowVirtualizer({
    count: calls.length,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollMargin: topPx,
  });
  const items = rows.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isFetchingMore && lastShown >= calls.length - 10) onWantMore();
  }, [hasMore, isFetchingMore, lastShown, calls.length, onWantMore]);
  const { data: agents = [] } = useQuery(agentsQuery);
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be placed one by one. */}
      <div role="table" aria-label="Calls" aria-rowcount={hasMore ? -1 : calls.length + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" className="hidden border-b border-line bg-sunken/50 lg:block">
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: a heading row is not operated. */}
          <div role="row" className={`${COLUMNS} h-10 items-center text-xs font-medium text-ink-soft`}>
            {["Time", "Number and agent", "Status", "How it ended", "Answered by", "Duration", "Cost"].map((name) => (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: a heading is not operated.
              <span role="columnheader" key={name} className="last:text-right">
                {name}
              </span>
            ))}
          </div>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" ref={place} className="relative" style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const call = calls[index];
            return call ? (
              <Row
                key={call.id}
                call={call}
                agent={names.get(call.agentId) ?? call.agentId}
                index={index}
                topPx={start - topPx}
              />
            ) : null;
          })}
        </div>
      </div>
      <p role="status" className="sr-only">
        {isFetchingMore ? "Fetching more calls" : ""}
      </p>
    </>
  );
}

interface RowProps {
  readonly call: Call;
  readonly agent: string;
  readonly index: number;
  readonly topPx: number;
}

function Row({ call, agent, index, topPx }: RowProps) {
  const badge = badgeOf(call);
  const end = call.endReason ? END_REASON_LABELS[call.endReason] : "";
  const duration = call.durationSeconds === null ? "–" : formatClock(call.durationSeconds);
  const wide = "hidden self-center truncate text-sm lg:block";
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: the link in the row is what is operated.
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${COLUMNS} absolute inset-x-0 items-center hover:bg-sunken/60 ${index > 0 ? "border-t border-line" : ""}`}
      style={{ height: ROW_PX, transform: `translateY(${topPx}px)` }}
    >
      <Cell className={`${wide} text-ink-soft`} title={formatFull(call.createdAt)}>
        {formatMoment(call.createdAt)}
      </Cell>
      <Cell className="min-w-0 truncate">
        <Link
          to="/calls/$callId"
          params={{ callId: call.id }}
          className="font-medium tabular-nums outline-offset-[-2px] after:absolute after:inset-0"
        >
          {call.phoneNumber}
        </Link>
        {call.country ? <span className="ml-2 text-sm text-ink-soft">{formatCountry(call.country)}</span> : null}
        <span className="block truncate text-sm text-ink-soft">
          <span className="lg:hidden">{formatMoment(call.createdAt)} · </span>
          {agent} <span className="hidden lg:inline">· {call.engine}</span>
          {call.mode === "live" ? ` · ${networkInWords(call.network)}` : null}
        </span>
      </Cell>
      <Cell className="text-right lg:text-left">
        <Badge tone={badge.tone} isLive={badge.isLive}>
          {badge.text}
        </Badge>
        <span className="mt-0.5 block text-sm text-ink-soft tabular-nums lg:hidden">{duration}</span>
      </Cell>
      <Cell className={wide} title={[end, ...call.incidents.map(({ effect }) => effect)].join(" ")}>
        {end || "–"}
        {call.incidents.length > 0 && call.endReason !== "engine_error" ? (
          <span className="block truncate text-xs text-warning-text">Problem on our side</span>
        ) : null}
      </Cell>
      <Cell className={`${wide} text-ink-soft`}>{call.answeredBy ? ANSWERED_BY_LABELS[call.answeredBy] : "–"}</Cell>
      <Cell className={`${wide} tabular-nums`}>{duration}</Cell>
      <Cell className={`${wide} text-right tabular-nums`}>{call.cost ? formatUsd(call.cost.total) : "–"}</Cell>
    </div>
  );
}

function Cell(props: { className: string; title?: string; children: React.ReactNode }) {
  // biome-ignore lint/a11y/useSemanticElements: as above.
  return <div role="cell" {...props} />;
}
