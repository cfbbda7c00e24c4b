import * as routes from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../api/send.ts";
import { type CallFilter, problemOfNumber, toCallQuery } from "./call-filter.ts";

/** Under which names the page remembers what it fetched. */
export const callKeys = {
  lists: ["calls"],
  list: (mode: Mode, filter: CallFilter) => ["calls", mode, filter] as const,
  /** Everything about one call. */
  one: (callId: string) => ["call", callId] as const,
};

const CALLS_PER_PAGE = 50;

export const callsQuery = (mode: Mode, filter: CallFilter) =>
  infiniteQueryOptions({
    queryKey: callKeys.list(mode, filter),
    queryFn: ({ pageParam, signal }) => fetchCalls(mode, filter, pageParam, signal),
    enabled: problemOfNumber(filter) === null,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    // The live stream keeps it fresh; fetching every page again would not scale.
    staleTime: Number.POSITIVE_INFINITY,
  });

export function fetchCalls(mode: Mode, filter: CallFilter, cursor?: string, signal?: AbortSignal) {
  const query = { ...toCallQuery(filter), limit: String(CALLS_PER_PAGE), cursor };
  return sendForPage(routes.listCalls, { mode, query, ...(signal ? { signal } : {}) });
}

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
