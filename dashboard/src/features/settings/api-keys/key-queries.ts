import { listApiKeys } from "@parley/contract/routes/members";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { sendForPage } from "../../../api/send.ts";

export const keysQuery = infiniteQueryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ pageParam, signal }) => sendForPage(listApiKeys, { query: { limit: "50", cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.nextCursor ?? undefined,
});
