import { type Grouping, PRESETS, type Preset } from "../usage/usage-search.ts";

/** What the calls of an agent are grouped by. */
export const AGENT_GROUPINGS = ["version", "outcome", "engine", "hour"] as const satisfies readonly Grouping[];
export type AgentGrouping = (typeof AGENT_GROUPINGS)[number];

/** What the page of an agent shows. It is part of the URL, so that it can be bookmarked and shared. */
export interface AgentSearch {
  /** The period of its figures: 30 days without it. */
  readonly period?: Preset;
  /** What its calls are grouped by: versions without it. */
  readonly by?: AgentGrouping;
  /** The version whose steps are shown: the published one without it, `all` for every version. */
  readonly version?: string;
}

/** Parses what the page shows from the URL. What cannot be shown is dropped, so that old links still open. */
export function readAgentSearch(search: Record<string, unknown>): AgentSearch {
  const period = PRESETS.find((each) => each === search["period"]);
  const by = AGENT_GROUPINGS.find((each) => each === search["by"]);
  // The router parses numeric search parameters as numbers.
  const version = String(search["version"] ?? "");
  return {
    ...(period && period !== "month" ? { period } : {}),
    ...(by && by !== "version" ? { by } : {}),
    ...(/^([1-9]\d{0,5}|all)$/.test(version) ? { version } : {}),
  };
}
