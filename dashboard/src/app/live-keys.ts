import type { Mode } from "@parley/contract/shared-fields";
import type { CallFilter } from "../features/calls/call-filter.ts";

/** Query keys of calls. The live stream invalidates them. */
export const callKeys = {
  lists: ["calls"],
  list: (mode: Mode, filter: CallFilter) => ["calls", mode, filter] as const,
  /** Whether a list is behind what the service has. */
  isOutdated: (mode: Mode, filter: CallFilter) => ["calls-outdated", mode, filter] as const,
  counts: ["call-count"],
  live: ["live-calls"],
  views: ["call-views"],
  /** Everything about one call. */
  one: (callId: string) => ["call", callId] as const,
};

/** The key of batches, whose counts are of calls. */
export const BATCHES_KEY = ["batches"] as const;

/** The key of the usage figures. */
export const USAGE_KEY = ["usage"] as const;
