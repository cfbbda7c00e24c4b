import { getTrunk, listTrunks } from "@parley/contract/routes/operator";
import { queryOptions } from "@tanstack/react-query";
import { pagesOf, send } from "../../../api/send.ts";

/** There are no events for the state of a trunk, so it is polled while the page is open. */
const REFRESH_MS = 10_000;

export const trunkKeys = { all: ["trunks"] as const, routes: ["trunk-routes"] as const };

export const trunksQuery = { ...pagesOf([...trunkKeys.all, "list"], listTrunks), refetchInterval: REFRESH_MS };

export const trunkQuery = (trunkId: string) =>
  queryOptions({
    queryKey: [...trunkKeys.all, trunkId],
    queryFn: ({ signal }) => send(getTrunk, { params: { id: trunkId }, signal }),
    refetchInterval: REFRESH_MS,
  });
