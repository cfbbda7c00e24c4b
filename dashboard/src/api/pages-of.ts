import type { Route } from "@parley/contract/route";
import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { type Request, sendForPage } from "./send.ts";

const ROWS_PER_PAGE = "50";

/** A list that is fetched page by page, as far as somebody asks for it. */
export function pagesOf<R extends Route>(queryKey: QueryKey, route: R, request: Omit<Request<R>, "signal"> = {}) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      sendForPage(route, { ...request, query: { ...request.query, limit: ROWS_PER_PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}
