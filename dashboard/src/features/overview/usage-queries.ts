import { getUsage, getUsageBreakdown } from "@parley/contract/routes/account";
import { listCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { UsageFigures, UsageGranularity } from "@parley/contract/usage";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../api/send.ts";
import { USAGE_KEY } from "../../app/live-keys.ts";
import type { CallFilter } from "../calls/call-filter.ts";
import { END_REASON_LABELS } from "../calls/call-labels.ts";
import { timeZone } from "../usage/usage-queries.ts";
import { groupLabel } from "../usage/usage-words.ts";
import { beginningOf, groupingOf, type OverviewSearch, PERIOD_PLANS } from "./period.ts";

/** The figures of a period: of all calls, or of the ended calls of an agent. */
export interface OverviewNumbers {
  readonly mode: Mode;
  readonly granularity: UsageGranularity;
  readonly total: UsageFigures;
  /** Oldest first, including empty ones. */
  readonly buckets: readonly (UsageFigures & { readonly start: string })[];
  /** How calls ended, the most frequent first, each with the filter of its calls. */
  readonly endings: readonly { readonly label: string; readonly calls: number; readonly filter: CallFilter }[];
}

const REFRESH_MS = 30_000;
/** Outcomes are not named by their id. */
const NO_NAMES = { agents: new Map<string, string>(), keys: new Map<string, string>() };

export const usageQuery = (mode: Mode, { by: _, ...search }: OverviewSearch) =>
  queryOptions({
    queryKey: [...USAGE_KEY, mode, search],
    queryFn: ({ signal }) => readNumbers(mode, search, signal),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });

/** The ended calls of the period by the chosen property. */
export const groupedCallsQuery = (mode: Mode, search: OverviewSearch) => {
  const { period = "week", agentId, agentVersion } = search;
  const by = groupingOf(search);
  return queryOptions({
    queryKey: [...USAGE_KEY, "groups", mode, { period, agentId, agentVersion, by }],
    queryFn: async ({ signal }) => {
      const query = {
        ...{ from: beginningOf(period, new Date()).toISOString(), timeZone: timeZone() },
        ...{ by, agentId, agentVersion },
      };
      return { by, breakdown: await send(getUsageBreakdown, { mode, query, signal }) };
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
};

async function readNumbers(
  mode: Mode,
  { period = "week", agentId, agentVersion }: OverviewSearch,
  signal: AbortSignal,
): Promise<OverviewNumbers> {
  const { granularity } = PERIOD_PLANS[period];
  const query = {
    from: beginningOf(period, new Date()).toISOString(),
    granularity,
    timeZone: timeZone(),
  };
  if (agentId === undefined) {
    const { total, buckets, endReasons, from } = await send(getUsage, { mode, query, signal });
    const endings = endReasons.map(({ endReason, calls }) => ({
      ...{ label: END_REASON_LABELS[endReason], calls },
      filter: { endReason, createdAfter: from },
    }));
    return { mode, granularity, total, buckets, endings };
  }
  const { total, rows, from } = await send(getUsageBreakdown, {
    mode,
    query: { ...query, by: "outcome", agentId, agentVersion },
    signal,
  });
  const ofAgent: CallFilter = {
    agentId,
    phase: "ended",
    createdAfter: from,
    ...(agentVersion ? { agentVersion } : {}),
  };
  const endings = rows.map(({ key, calls }) => ({
    ...{ label: groupLabel("outcome", key, NO_NAMES), calls },
    filter: { ...ofAgent, outcome: key },
  }));
  return { mode, granularity, total, buckets: total.buckets ?? [], endings };
}

/** Whether a member has ever placed a test call, in the dashboard or with one of these keys. */
export const hasTestCallQuery = (memberId: string, keyIds: readonly string[]) =>
  queryOptions({
    queryKey: ["has-test-call", memberId, keyIds],
    queryFn: async ({ signal }) => {
      const places = [{ memberId }, ...keyIds.map((apiKeyId) => ({ apiKeyId }))];
      for (const place of places) {
        const { rows } = await sendForPage(listCalls, { mode: "test", query: { ...place, limit: "1" }, signal });
        if (rows.length > 0) return true;
      }
      return false;
    },
    staleTime: 0,
  });
