import type { Call } from "@parley/contract/calls";
import * as routes from "@parley/contract/routes/calls";
import { getCall } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { type Page, send, sendForPage } from "../../api/send.ts";
import { callKeys } from "../../app/live-keys.ts";
import { type CallFilter, isSearchable } from "./call-filter.ts";

const CALLS_PER_PAGE = 50;

export const callsQuery = (mode: Mode, filter: CallFilter) =>
  infiniteQueryOptions({
    queryKey: callKeys.list(mode, filter),
    queryFn: ({ pageParam, signal }) => fetchCalls(mode, filter, pageParam, signal),
    enabled: isSearchable(filter),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    // The live stream keeps it fresh; fetching every page again would not scale.
    staleTime: Number.POSITIVE_INFINITY,
  });

function fetchCalls(mode: Mode, filter: CallFilter, cursor?: string, signal?: AbortSignal) {
  const query = { ...filter, limit: String(CALLS_PER_PAGE), cursor };
  return sendForPage(routes.listCalls, { mode, query, ...(signal ? { signal } : {}) });
}

/** How many calls the filter leaves. */
export const callCountQuery = (mode: Mode, { sort: _, ...filter }: CallFilter) =>
  queryOptions({
    queryKey: [...callKeys.counts, mode, filter],
    queryFn: ({ signal }) => send(routes.countCalls, { mode, query: { ...filter }, signal }),
    enabled: isSearchable(filter),
    placeholderData: keepPreviousData,
  });

/** Excerpts of found calls. They are of one page each, so that a growing list asks only for what it added. */
export const matchesQuery = (mode: Mode, text: string | undefined, callIds: readonly string[]) =>
  queryOptions({
    queryKey: ["call-matches", mode, text, callIds],
    queryFn: ({ signal }) =>
      send(routes.findCallMatches, { mode, query: { text: text ?? "", callIds: callIds.join(",") }, signal }),
    enabled: text !== undefined && callIds.length > 0 && !text.startsWith("call_"),
    staleTime: 60_000,
  });

export const liveCallsQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [...callKeys.live, mode],
    queryFn: ({ signal }) => send(routes.listLiveCalls, { mode, signal }),
  });

export const callViewsQuery = queryOptions({
  queryKey: callKeys.views,
  queryFn: ({ signal }) => send(routes.listCallViews, { signal }),
});

export const callQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...callKeys.one(id), mode, "record"],
    queryFn: ({ signal }) => send(routes.getCall, { params: { id }, mode, signal }),
  });

export const transcriptQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...callKeys.one(id), mode, "transcript"],
    queryFn: ({ signal }) => send(routes.getTranscript, { params: { id }, mode, signal }),
  });

/** The whole timeline: it is read in pages and shown at once. */
export const eventsQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...callKeys.one(id), mode, "events"],
    queryFn: async ({ signal }) => {
      const events = [];
      let cursor: string | undefined;
      do {
        const page = await sendForPage(routes.listCallEvents, { params: { id }, mode, query: { cursor }, signal });
        events.push(...page.rows);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return events;
    },
  });

export const peaksQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: ["peaks", mode, id],
    queryFn: ({ signal }) => send(routes.getRecordingPeaks, { params: { id }, mode, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

type CallPages = InfiniteData<Page<Call>, string | undefined>;

/** More changes than this beyond the first page are not worth a request each. */
const SINGLE_FETCHES_MAX = 20;

/** Updates the lists on the page after calls changed: reloads the first page, and the rest row by row. */
export async function refreshLists(queries: QueryClient, callIds: ReadonlySet<string>): Promise<void> {
  for (const query of queries.getQueryCache().findAll({ queryKey: callKeys.lists })) {
    if (!query.isActive()) {
      queries.removeQueries({ queryKey: query.queryKey, exact: true });
      continue;
    }
    const [, mode, filter] = query.queryKey as [string, Mode, CallFilter];
    try {
      await refreshList(queries, mode, filter, callIds);
    } catch {
      // What could not be fetched is fetched on the next visit; the list itself reports an unreachable service.
      await queries.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: "none" });
    }
  }
}

async function refreshList(queries: QueryClient, mode: Mode, filter: CallFilter, callIds: ReadonlySet<string>) {
  const key = callKeys.list(mode, filter);
  // In other orders a changed call may belong anywhere.
  if (filter.sort) return queries.invalidateQueries({ queryKey: key, exact: true });
  const fresh = await fetchCalls(mode, filter);
  const inFresh = new Set(fresh.rows.map(({ id }) => id));
  const shown = queries.getQueryData<CallPages>(key)?.pages.flatMap(({ rows }) => rows) ?? [];
  const below = shown.filter(({ id }) => callIds.has(id) && !inFresh.has(id)).slice(0, SINGLE_FETCHES_MAX);
  const changed = await Promise.all(below.map(({ id }) => send(getCall, { params: { id }, mode })));
  queries.setQueryData<CallPages>(key, (now) => {
    if (!now) return now;
    const pages = replaceRows(mergeFresh(now.pages, fresh), changed);
    return { pages, pageParams: [undefined, ...pages.slice(0, -1).map(({ nextCursor }) => nextCursor ?? undefined)] };
  });
}

type Row = Pick<Call, "id" | "createdAt">;

/**
 * Puts a newly fetched first page into a list of pages, newest first. Rows that are as new as the fresh ones and not among
 * them no longer belong to the list; older ones stay, so that a scrolled list loses nothing.
 */
export function mergeFresh<R extends Row>(pages: readonly Page<R>[], fresh: Page<R>): Page<R>[] {
  const last = fresh.rows.at(-1);
  const [first, second, ...rest] = pages;
  if (!first || !second || !last || fresh.nextCursor === null) return [fresh];
  const older = (page: Page<R>) => page.rows.filter((row) => isOlder(row, last));
  // Rows pushed off the first page move to the head of the second, whose cursor stays valid.
  return [
    fresh,
    { rows: [...older(first), ...older(second)], nextCursor: second.nextCursor },
    ...rest.map((page) => ({ rows: older(page), nextCursor: page.nextCursor })),
  ];
}

/** Replaces rows with their new state. */
export function replaceRows<R extends Row>(pages: readonly Page<R>[], changed: readonly R[]): Page<R>[] {
  const byId = new Map(changed.map((row) => [row.id, row]));
  return pages.map((page) => ({ ...page, rows: page.rows.map((row) => byId.get(row.id) ?? row) }));
}

function isOlder(row: Row, than: Row): boolean {
  return row.createdAt < than.createdAt || (row.createdAt === than.createdAt && row.id < than.id);
}
