import { getUsage } from "@parley/contract/routes/account";
import { listCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../api/send.ts";
import { USAGE_KEY } from "../../app/live-keys.ts";
import { beginningOf, PERIOD_PLANS, type Period } from "./period.ts";

const REFRESH_MS = 30_000;

export const usageQuery = (mode: Mode, period: Period) =>
  queryOptions({
    queryKey: [...USAGE_KEY, mode, period],
    queryFn: ({ signal }) =>
      send(getUsage, {
        mode,
        query: {
          from: beginningOf(period, new Date()).toISOString(),
          granularity: PERIOD_PLANS[period].granularity,
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        },
        signal,
      }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

/** Whether the account has ever placed a test call. */
export const hasTestCallQuery = queryOptions({
  queryKey: ["has-test-call"],
  queryFn: async ({ signal }) =>
    (await sendForPage(listCalls, { mode: "test", query: { limit: "1" }, signal })).rows.length > 0,
  staleTime: 0,
});
