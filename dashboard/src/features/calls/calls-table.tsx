import type { Call, CallMatch } from "@parley/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  observeWindowOffset,
  observeWindowRect,
  useWindowVirtualizer,
  type Virtualizer,
} from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { Badge } from "../../ui/feedback/badge.tsx";
import { formatClock, formatCountry, formatFull, formatMoment } from "../../ui/format.ts";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { CALL_COLUMNS, type CallColumn, type CallsLayout, nextOrder } from "./call-columns.ts";
import type { CallFilter } from "./call-filter.ts";
import { badgeOf } from "./call-labels.ts";
import { ElapsedTime } from "./elapsed-time.tsx";
import { rememberOpenedCall, useReturnToCall } from "./return-to-call.ts";
import { useTabThroughRows } from "./tab-through-rows.ts";
import { callsText } from "./text.ts";

interface CallsTableProps {
  /** The loaded calls, page by page. A page that has not changed is the same array. */
  readonly pages: readonly (readonly Call[])[];
  /** Where the search found its words, by call. */
  readonly matches: ReadonlyMap<string, CallMatch>;
  readonly layout: CallsLayout;
  readonly sort: CallFilter["sort"];
  readonly hasMore: boolean;
  readonly isFetchingMore: boolean;
  onSort(sort: CallFilter["sort"]): void;
  onWantMore(): void;
}

/**
 * Rows are placed and rendered this many at a time: with one at a time, a list of 100,000 takes longer than a frame, and so do ten
 * new rows.
 */
const CHUNK_ROWS = 5;

interface Chunk {
  readonly calls: readonly Call[];
  /** The place of its first call in the list. */
  readonly begin: number;
}

const slices = new WeakMap<readonly Call[], readonly (readonly Call[])[]>();

/** A page in slices, which are made once. */
function sliceUp(page: readonly Call[]): readonly (readonly Call[])[] {
  const kept = slices.get(page);
  if (kept) return kept;
  const made = Array.from({ length: Math.ceil(page.length / CHUNK_ROWS) }, (_, index) =>
    page.slice(index * CHUNK_ROWS, (index + 1) * CHUNK_ROWS),
  );
  slices.set(page, made);
  return made;
}

function toChunks(pages: CallsTableProps["pages"]): readonly Chunk[] {
  let begin = 0;
  return pages.flatMap(sliceUp).map((calls) => {
    const chunk = { calls, begin };
    begin += calls.length;
    return chunk;
  });
}

const ROW_PX = { comfortable: 60, compact: 40 } as const;
/** On a phone a row always has two lines. */
const NARROW_ROW_PX = 64;
const EXCERPT_PX = 26;
const GRID = "grid gap-x-3 px-4 sm:px-5";
const NARROW_GRID = ["minmax(0,1fr)", "auto"].join(" ");

/** Observes from the next frame on: both observers first ask where the window is, for which the browser lays out the page. */
function afterPaint<List, Report>(observe: (list: List, report: Report) => undefined | (() => void)) {
  return (list: List, report: Report) => {
    let stop: undefined | (() => void);
    const frame = requestAnimationFrame(() => {
      stop = observe(list, report);
    });
    return () => {
      cancelAnimationFrame(frame);
      stop?.();
    };
  };
}

const observeRect = afterPaint(observeWindowRect);
const observeOffset = afterPaint<Virtualizer<Window, Element>, (offset: number, isScrolling: boolean) => void>(
  (list, report) => {
    const stop = observeWindowOffset(list, report);
    // Who comes back to the list is taken to where they were before the first frame, of which no event is seen here.
    report(window.scrollY, false);
    return stop;
  },
);

/** The calls as a table of which only the visible rows exist, however many there are. */
export function CallsTable(props: CallsTableProps) {
  const { pages, matches, layout, sort, hasMore, isFetchingMore, onSort, onWantMore } = props;
  const place = useRef<HTMLDivElement>(null);
  const [topPx, setTopPx] = useState(0);
  const isWide = useIsWide();
  // After the first paint: it is only needed to scroll, and asking sooner would lay out the page twice.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      setTopPx((place.current?.getBoundingClientRect().top ?? 0) + window.scrollY),
    );
    return () => cancelAnimationFrame(frame);
  }, []);
  const basePx = isWide ? ROW_PX[layout.density] : NARROW_ROW_PX;
  const heightOf = (call: Call) => basePx + (matches.has(call.id) ? EXCERPT_PX : 0);
  const chunks = useMemo(() => toChunks(pages), [pages]);
  const last = chunks.at(-1);
  const count = last ? last.begin + last.calls.length : 0;
  const heightOfChunk = (index: number) => {
    const { calls = [] } = chunks[index] ?? {};
    return matches.size === 0 ? calls.length * basePx : calls.reduce((sum, call) => sum + heightOf(call), 0);
  };
  const rows = useWindowVirtualizer({
    count: chunks.length,
    estimateSize: heightOfChunk,
    overscan: 1,
    scrollMargin: topPx,
    // Known before the first render, so that it is one of rows; otherwise they would all be rendered at once after it.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    // Only the reader scrolls. At first it would scroll to where the page is, for which the browser lays out all of it.
    scrollToFn: () => undefined,
    observeElementRect: observeRect,
    observeElementOffset: observeOffset,
  });
  // The heights are known and not measured, so a change of them is announced.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the heights depend on.
  useEffect(() => rows.measure(), [rows, basePx, matches, chunks]);
  const items = rows.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isFetchingMore && lastShown >= chunks.length - 2) onWantMore();
  }, [hasMore, isFetchingMore, lastShown, chunks.length, onWantMore]);
  useReturnToCall(place);
  const goOn = useTabThroughRows(place, count, isFetchingMore);
  const { data: agents = [] } = useQuery(agentsQuery);
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const columns = useMemo(() => CALL_COLUMNS.filter(({ id }) => layout.columns.includes(id)), [layout.columns]);
  const gridColumns = isWide ? gridOf(columns) : NARROW_GRID;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be placed one by one. */}
      <div role="table" aria-label={callsText.calls} aria-rowcount={hasMore ? -1 : count + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" className="hidden border-b border-line bg-sunken/50 lg:block">
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: a heading row is not operated. */}
          <div
            role="row"
            style={{ gridTemplateColumns: gridColumns }}
            className={`${GRID} h-10 items-center text-xs font-medium text-ink-soft`}
          >
            <Heading label={callsText.number} />
            <Heading label={callsText.status} />
            {columns.map((column) => (
              <Heading
                key={column.id}
                label={column.label}
                column={column}
                sort={sort}
                onSort={() => onSort(nextOrder(column, sort))}
              />
            ))}
          </div>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" ref={place} onKeyDown={goOn} className="relative" style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const { calls = [], begin = 0 } = chunks[index] ?? {};
            // The chunk is moved and not each row, which would make the browser keep a place to paint for each.
            return (
              <div
                key={calls[0]?.id ?? index}
                role="presentation"
                className="absolute inset-x-0"
                style={{ transform: `translateY(${start - topPx}px)` }}
              >
                {calls.map((call, place) => (
                  <Row
                    key={call.id}
                    call={call}
                    match={matches.get(call.id) ?? null}
                    agent={names.get(call.agentId) ?? call.agentId}
                    columns={columns}
                    isCompact={isWide && layout.density === "compact"}
                    index={begin + place}
                    heightPx={heightOf(call)}
                    lineHeightPx={basePx}
                    gridColumns={gridColumns}
                  />
                ))}
              </div>
            );
          })}
        </div>
      </div>
      <p role="status" className="sr-only">
        {isFetchingMore ? callsText.fetchingMoreCalls : ""}
      </p>
    </>
  );
}

function gridOf(columns: readonly CallColumn[]): string {
  return ["minmax(9rem,0.5fr)", "7rem", ...columns.map(({ width }) => width)].join(" ");
}

const matchWide = () => matchMedia("(min-width: 64rem)");

function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchWide().matches);
  useEffect(() => {
    const query = matchWide();
    const follow = () => setWide(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isWide;
}

interface HeadingProps {
  readonly label: string;
  readonly column?: CallColumn;
  readonly sort?: CallFilter["sort"];
  onSort?(): void;
}

function Heading({ label, column, sort, onSort }: HeadingProps) {
  const [first, second] = column?.orders ?? [];
  const isSorted = column?.orders !== undefined && (sort === first || sort === second);
  const isAscending = isSorted && sort !== undefined && !sort.startsWith("-");
  const order = isAscending ? "ascending" : "descending";
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: the button in a heading is what is operated.
    <span
      role="columnheader"
      className={`truncate ${column?.isNumeric ? "text-right" : ""}`}
      {...(isSorted ? { "aria-sort": order } : {})}
    >
      {column?.orders ? (
        <button
          type="button"
          onClick={onSort}
          className={`inline-flex h-8 items-center gap-1 rounded outline-offset-[-2px] hover:text-ink ${isSorted ? "text-ink" : ""}`}
        >
          {label}
          {isSorted ? (
            isAscending ? (
              <ArrowUp aria-hidden="true" className="size-3" />
            ) : (
              <ArrowDown aria-hidden="true" className="size-3" />
            )
          ) : null}
        </button>
      ) : (
        label
      )}
    </span>
  );
}

interface RowProps {
  readonly call: Call;
  readonly match: CallMatch | null;
  readonly agent: string;
  readonly columns: readonly CallColumn[];
  readonly isCompact: boolean;
  readonly index: number;
  readonly heightPx: number;
  readonly lineHeightPx: number;
  readonly gridColumns: string;
}

/** Nothing of it changes when the table finds out where it is, or is scrolled. */
const Row = memo(function Row(props: RowProps) {
  const { call, match, agent, columns, isCompact, index, heightPx, lineHeightPx, gridColumns } = props;
  const badge = badgeOf(call);
  const hasProblem = call.incidents.length > 0 && call.endReason !== "engine_error";
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: the link in the row is what is operated.
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`relative hover:bg-sunken/60 ${index > 0 ? "border-t border-line" : ""}`}
      style={{ height: heightPx }}
    >
      <div
        role="presentation"
        className={`${GRID} items-center`}
        style={{ gridTemplateColumns: gridColumns, height: lineHeightPx }}
      >
        <Cell className="min-w-0 truncate">
          <Link
            to="/calls/$callId"
            params={{ callId: call.id }}
            search={match?.startMs == null ? {} : { atMs: match.startMs }}
            onClick={() => rememberOpenedCall(call.id)}
            className="font-medium tabular-nums outline-offset-[-2px] after:absolute after:inset-0"
          >
            {call.phoneNumber}
          </Link>
          <span className="block truncate text-sm leading-5 text-ink-soft lg:hidden">
            {formatMoment(call.createdAt)} · {agent}
          </span>
          {call.country && !isCompact ? (
            <span className="hidden truncate text-sm leading-5 text-ink-soft lg:block">
              {formatCountry(call.country)}
            </span>
          ) : null}
        </Cell>
        <Cell className="text-right lg:text-left">
          <Badge tone={badge.tone} isLive={badge.isLive}>
            {badge.text}
          </Badge>
          <span className="mt-0.5 block text-sm text-ink-soft tabular-nums lg:hidden">
            {badge.isLive ? (
              <ElapsedTime call={call} />
            ) : call.durationSeconds === null ? null : (
              formatClock(call.durationSeconds)
            )}
          </span>
        </Cell>
        {columns.map((column) => (
          <Cell
            key={column.id}
            className={`hidden truncate text-sm lg:block ${column.isNumeric ? "text-right tabular-nums" : ""} ${column.id === "time" ? "text-ink-soft" : ""}`}
            {...(column.id === "time" ? { title: formatFull(call.createdAt) } : {})}
          >
            {column.id === "duration" && call.phase === "talking" ? (
              <ElapsedTime call={call} />
            ) : (
              column.read(call, agent)
            )}
            {column.id === "ended" && hasProblem && !isCompact ? (
              <span className="block truncate text-xs text-warning-text">{callsText.problemOnOurSide}</span>
            ) : null}
          </Cell>
        ))}
      </div>
      {match ? <Excerpt match={match} /> : null}
    </div>
  );
});

/** The words that were found, with the text around them. */
function Excerpt({ match: { place, name, parts } }: { readonly match: CallMatch }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <p
      role="cell"
      className="truncate px-4 pb-2 text-sm leading-4 text-ink-soft sm:px-5"
      style={{ height: EXCERPT_PX }}
    >
      {callsText.foundIn(place, name)}{" "}
      {parts.map(({ text, isFound }, index) =>
        isFound ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one excerpt never change places.
          <mark key={index} className="rounded-sm bg-accent-soft font-medium text-accent-text">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </p>
  );
}

function Cell(props: { className: string; title?: string; children: React.ReactNode }) {
  // biome-ignore lint/a11y/useSemanticElements: as above.
  return <div role="cell" {...props} />;
}
