import { getUsageBreakdown } from "@parley/contract/routes/account";
import type { Mode } from "@parley/contract/shared-fields";
import type { UsageBreakdown } from "@parley/contract/usage";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { send } from "../../api/send.ts";
import { USAGE_KEY } from "../../app/live-keys.ts";
import { choosePeriod, type Grouping, type UsagePeriod, type UsageScope, type UsageSearch } from "./usage-search.ts";

/** The numbers of a period and of the one before it. */
export interface UsageNumbers {
  readonly period: UsagePeriod;
  readonly scope: UsageScope;
  readonly by: Grouping;
  readonly breakdown: UsageBreakdown;
  readonly before: UsageBreakdown["total"];
}

const REFRESH_MS = 60_000;

/** What calls can be grouped by: versions only within an agent. */
function groupingOf({ by = "outcome", agentId }: Pick<UsageSearch, "by" | "agentId">): Grouping {
  return by === "version" && agentId === undefined ? "outcome" : by;
}

export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const usageNumbersQuery = (mode: Mode, search: UsageSearch) => {
  const { period: preset, from, to, agentId, agentVersion, engine } = search;
  const scope = { ...(agentId && { agentId }), ...(agentVersion && { agentVersion }), ...(engine && { engine }) };
  const by = groupingOf(search);
  return queryOptions({
    queryKey: [...USAGE_KEY, "numbers", mode, { preset, from, to, ...scope, by }],
    queryFn: async ({ signal }): Promise<UsageNumbers> => {
      const period = choosePeriod(search, new Date());
      const spanOf = (span: { readonly from: Date; readonly to: Date }) => ({
        from: span.from.toISOString(),
        to: span.to.toISOString(),
        timeZone: timeZone(),
      });
      const [breakdown, before] = await Promise.all([
        send(getUsageBreakdown, {
          mode,
          query: { ...spanOf(period), by, ...scope, granularity: period.granularity },
          signal,
        }),
        send(getUsageBreakdown, { mode, query: { ...spanOf(period.previous), by: "outcome", ...scope }, signal }),
      ]);
      return {
        period,
        scope,
        by,
        breakdown,
        before: before.total,
      };
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
};
