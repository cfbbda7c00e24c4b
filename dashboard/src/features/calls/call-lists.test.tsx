import type { Call } from "@parley/contract/calls";
import { InfiniteQueryObserver, type QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { callKeys } from "../../app/live-keys.ts";
import { createTestQueries } from "../../testing/render-with-queries.tsx";
import type { CallFilter } from "./call-filter.ts";
import { callsQuery, isOutdatedQuery, refreshLists, refreshWholeLists, showLatest } from "./call-queries.ts";

const PAGE_ROWS = 50;
const callOf = (number: number, more: Partial<Call> = {}) =>
  ({ id: `call_${number}`, createdAt: new Date(number * 1000).toISOString(), ...more }) as Call;

/** Serves calls as the API does, the highest number first, and returns the addresses that were asked for. */
function serve(count: () => number): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const { pathname, searchParams } = new URL(
      input instanceof Request ? input.url : String(input),
      "http://localhost",
    );
    asked.push(`${pathname.replace("/api/v1", "")}${searchParams.get("cursor") ? " more" : ""}`);
    const id = /call_(\d+)$/.exec(pathname)?.[1];
    if (id) return Response.json({ success: true, data: callOf(Number(id), { endReason: "busy" }) });
    const begin = Number(searchParams.get("cursor") ?? count());
    const data = Array.from({ length: Math.min(PAGE_ROWS, begin) }, (_, index) => callOf(begin - index));
    const nextCursor = begin > PAGE_ROWS ? String(begin - PAGE_ROWS) : null;
    return Response.json({ success: true, data, nextCursor });
  });
  return asked;
}

/** A list that a person has scrolled down. */
async function openList(queries: QueryClient, filter: CallFilter, pages: number) {
  const list = new InfiniteQueryObserver(queries, callsQuery("test", filter));
  list.subscribe(() => undefined);
  await vi.waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true));
  for (let page = 1; page < pages; page += 1) await list.fetchNextPage();
  return {
    list,
    rows: () => list.getCurrentResult().data?.pages.flatMap(({ rows }) => rows) ?? [],
    isOutdated: () => queries.getQueryData(isOutdatedQuery("test", filter).queryKey) === true,
  };
}

test("a change in a sorted list of 40 pages costs one request, not 40, and no row moves", async () => {
  const asked = serve(() => 5000);
  const queries = createTestQueries();
  const { rows, isOutdated } = await openList(queries, { sort: "-cost" }, 40);
  const before = rows().map(({ id }) => id);
  asked.length = 0;
  await refreshLists(queries, new Set(["call_3100"]));
  expect(asked).toEqual(["/calls/call_3100"]);
  expect(rows().map(({ id }) => id)).toEqual(before);
  expect(rows().find(({ id }) => id === "call_3100")?.endReason).toBe("busy");
  expect(isOutdated()).toBe(true);
});

test("showing what changed loads the list from its beginning, in one request", async () => {
  let count = 5000;
  const asked = serve(() => count);
  const queries = createTestQueries();
  const { rows, isOutdated } = await openList(queries, { sort: "-cost" }, 40);
  count = 5001;
  await refreshLists(queries, new Set(["call_5001"]));
  asked.length = 0;
  await showLatest(queries, "test", { sort: "-cost" });
  expect(asked).toEqual(["/calls"]);
  expect(rows().map(({ id }) => id)).toEqual(Array.from({ length: PAGE_ROWS }, (_, index) => `call_${5001 - index}`));
  expect(isOutdated()).toBe(false);
});

test("a new call in a list by time does not make it outdated before its end is reached", async () => {
  serve(() => 5000);
  const queries = createTestQueries();
  const { isOutdated } = await openList(queries, { sort: "createdAt" }, 3);
  await refreshLists(queries, new Set(["call_9999"]));
  expect(isOutdated()).toBe(false);
});

test("a sorted list of one page is simply fetched again", async () => {
  const asked = serve(() => 5000);
  const queries = createTestQueries();
  const { isOutdated } = await openList(queries, { sort: "-cost" }, 1);
  asked.length = 0;
  await refreshLists(queries, new Set(["call_5000"]));
  expect(asked).toEqual(["/calls"]);
  expect(isOutdated()).toBe(false);
});

test("a change in the list of newest calls costs the first page and the call, and leaves other pages untouched", async () => {
  const asked = serve(() => 5000);
  const queries = createTestQueries();
  const { list } = await openList(queries, {}, 40);
  const before = list.getCurrentResult().data?.pages ?? [];
  asked.length = 0;
  await refreshLists(queries, new Set(["call_5000", "call_3100"]));
  expect(asked).toEqual(["/calls", "/calls/call_3100"]);
  const after = list.getCurrentResult().data?.pages ?? [];
  expect(after.flatMap((page, index) => (page === before[index] ? [] : [index]))).toEqual([38]);
});

test("after an interruption a long list is not fetched page by page", async () => {
  const asked = serve(() => 5000);
  const queries = createTestQueries();
  const { rows, isOutdated } = await openList(queries, {}, 40);
  asked.length = 0;
  await refreshWholeLists(queries);
  expect(asked).toEqual([]);
  expect([rows().length, isOutdated()]).toEqual([2000, true]);
});

test("lists that are not shown are dropped", async () => {
  serve(() => 60);
  const queries = createTestQueries();
  const { list } = await openList(queries, {}, 1);
  list.destroy();
  await refreshLists(queries, new Set(["call_1"]));
  expect(queries.getQueryCache().findAll({ queryKey: callKeys.lists })).toEqual([]);
});
