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
export const matchesQuery = (mode: Mode, text: string, callIds: readonly string[]) =>
  queryOptions({
    queryKey: ["call-matches", mode, text, callIds],
    queryFn: ({ signal }) =>
      send(routes.findCallMatches, { mode, query: { text, callIds: callIds.join(",") }, signal }),
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
/** Lists of more pages than this are not fetched again as a whole, which takes a request for each. */
const PAGES_FETCHED_AGAIN_MAX = 2;

/** Whether calls may be missing from a list or no longer in their place. The reader decides when to see them. */
export const isOutdatedQuery = (mode: Mode, filter: CallFilter) =>
  queryOptions({
    queryKey: callKeys.isOutdated(mode, filter),
    queryFn: () => false,
    initialData: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Begins a list again, with its first page. */
export async function showLatest(queries: QueryClient, mode: Mode, filter: CallFilter): Promise<void> {
  queries.setQueryData(callKeys.isOutdated(mode, filter), false);
  await queries.resetQueries({ queryKey: callKeys.list(mode, filter), exact: true });
}

/** Updates the lists on the page after calls changed: of those that are shown only what changed is fetched. */
export function refreshLists(queries: QueryClient, callIds: ReadonlySet<string>): Promise<void> {
  return refreshEach(queries, (mode, filter) =>
    filter.sort ? refreshSorted(queries, mode, filter, callIds) : refreshNewest(queries, mode, filter, callIds),
  );
}

/** Updates the lists on the page after anything may have changed. */
export function refreshWholeLists(queries: QueryClient): Promise<void> {
  return refreshEach(queries, async (mode, filter) => {
    const queryKey = callKeys.list(mode, filter);
    const pages = queries.getQueryData<CallPages>(queryKey)?.pages.length ?? 0;
    if (pages <= PAGES_FETCHED_AGAIN_MAX) return queries.invalidateQueries({ queryKey, exact: true });
    queries.setQueryData(callKeys.isOutdated(mode, filter), true);
  });
}

async function refreshEach(queries: QueryClient, refresh: (mode: Mode, filter: CallFilter) => Promise<void>) {
  for (const query of queries.getQueryCache().findAll({ queryKey: callKeys.lists })) {
    const [, mode, filter] = query.queryKey as [string, Mode, CallFilter];
    if (!query.isActive()) {
      queries.removeQueries({ queryKey: query.queryKey, exact: true });
      queries.removeQueries({ queryKey: callKeys.isOutdated(mode, filter), exact: true });
      continue;
    }
    try {
      await refresh(mode, filter);
    } catch {
      // What could not be fetched is fetched later; the list itself reports an unreachable service.
      const pages = queries.getQueryData<CallPages>(query.queryKey)?.pages.length ?? 0;
      if (pages > PAGES_FETCHED_AGAIN_MAX) queries.setQueryData(callKeys.isOutdated(mode, filter), true);
      else await queries.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: "none" });
    }
  }
}

/** Newest first: the first page is fetched again, and what changed below it row by row. */
async function refreshNewest(queries: QueryClient, mode: Mode, filter: CallFilter, callIds: ReadonlySet<string>) {
  const key = callKeys.list(mode, filter);
  const fresh = await fetchCalls(mode, filter);
  const inFresh = new Set(fresh.rows.map(({ id }) => id));
  const below = [...shownAmong(queries.getQueryData<CallPages>(key), callIds)].filter((id) => !inFresh.has(id));
  const changed = await fetchEach(mode, below);
  queries.setQueryData<CallPages>(key, (now) => {
    if (!now) return now;
    const pages = replaceRows(mergeFresh(now.pages, fresh), changed);
    return { pages, pageParams: [undefined, ...pages.slice(0, -1).map(({ nextCursor }) => nextCursor ?? undefined)] };
  });
}

/**
 * In other orders a changed call may belong anywhere. A list of one page is fetched again; in a longer one calls are
 * replaced where they stand, so that nothing moves under the reader, who is told that there is more to see.
 */
async function refreshSorted(queries: QueryClient, mode: Mode, filter: CallFilter, callIds: ReadonlySet<string>) {
  const key = callKeys.list(mode, filter);
  const before = queries.getQueryData<CallPages>(key);
  if (before === undefined || before.pages.length === 1)
    return queries.invalidateQueries({ queryKey: key, exact: true });
  const shown = shownAmong(before, callIds);
  const changed = await fetchEach(mode, [...shown]);
  queries.setQueryData<CallPages>(key, (now) => now && { ...now, pages: replaceRows(now.pages, changed) });
  // By time nothing moves: calls that are not shown come after the last one, and are fetched when the reader gets there.
  const comesLater = filter.sort === "createdAt" && before.pages.at(-1)?.nextCursor != null;
  if (!comesLater) queries.setQueryData(callKeys.isOutdated(mode, filter), true);
}

/** Which of the calls are in a list. */
function shownAmong(list: CallPages | undefined, callIds: ReadonlySet<string>): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const { rows } of list?.pages ?? []) {
    for (const { id } of rows) if (callIds.has(id)) shown.add(id);
  }
  return shown;
}

const fetchEach = (mode: Mode, callIds: readonly string[]) =>
  Promise.all(callIds.slice(0, SINGLE_FETCHES_MAX).map((id) => send(getCall, { params: { id }, mode })));

type Row = Pick<Call, "id" | "createdAt">;

/**
 * Puts a newly fetched first page into a list of pages, newest first. Rows that are as new as the fresh ones and not among
 * them no longer belong to the list; older ones stay, so that a scrolled list loses nothing. Pages without a change stay
 * the same objects, so that a list of many pages is not rendered again because of one call.
 */
export function mergeFresh<R extends Row>(pages: readonly Page<R>[], fresh: Page<R>): Page<R>[] {
  const last = fresh.rows.at(-1);
  const [first, second, ...rest] = pages;
  if (!first || !second || !last || fresh.nextCursor === null) return [fresh];
  const older = (page: Page<R>) => page.rows.filter((row) => isOlder(row, last));
  // Rows pushed off the first page move to the head of the second, whose cursor stays valid.
  const pushedOff = older(first);
  const isUnchanged = (page: Page<R>) => page.rows[0] === undefined || isOlder(page.rows[0], last);
  const keepOlder = (page: Page<R>) => (isUnchanged(page) ? page : { ...page, rows: older(page) });
  const head = pushedOff.length === 0 ? keepOlder(second) : { ...second, rows: [...pushedOff, ...older(second)] };
  return [fresh, head, ...rest.map(keepOlder)];
}

/** Replaces rows with their new state. Pages without one stay the same objects. */
export function replaceRows<R extends Row>(pages: readonly Page<R>[], changed: readonly R[]): Page<R>[] {
  if (changed.length === 0) return [...pages];
  const byId = new Map(changed.map((row) => [row.id, row]));
  return pages.map((page) =>
    page.rows.some(({ id }) => byId.has(id))
      ? { ...page, rows: page.rows.map((row) => byId.get(row.id) ?? row) }
      : page,
  );
}

function isOlder(row: Row, than: Row): boolean {
  return row.createdAt < than.createdAt || (row.createdAt === than.createdAt && row.id < than.id);
}
