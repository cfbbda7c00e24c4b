import type { CallOrder, CallPhase, CallStatus, EndReason } from "@parley/contract/calls";

/** The filter of the list. It is part of the URL, so that a view can be bookmarked and shared. */
export interface CallFilter {
  /** Anything that identifies a call, as typed: part of a number, words, an id. */
  readonly search?: string;
  readonly status?: CallStatus;
  readonly endReason?: EndReason;
  readonly agentId?: string;
  /** "0" is a draft. */
  readonly agentVersion?: string;
  readonly engine?: string;
  readonly outcome?: string;
  readonly apiKeyId?: string;
  readonly phase?: CallPhase;
  readonly hourOfDay?: string;
  /** Of the hour of the day. */
  readonly timeZone?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Newest first without it. */
  readonly sort?: Exclude<CallOrder, "-createdAt">;
}

/** What the page shows: the list with its filter, or the board of live calls. */
export interface CallsSearch extends CallFilter {
  readonly show?: "live";
}

const SEARCH_CHARS_MAX = 200;
const ORDERS = ["createdAt", "-durationSeconds", "durationSeconds", "-cost", "cost"] as const;

// Written out, because the router reads filters before any page, its texts or the schemas of calls are loaded.
const STATUSES: Readonly<Record<CallStatus, true>> = {
  initiated: true,
  in_progress: true,
  completed: true,
  failed: true,
};
const PHASES: Readonly<Record<CallPhase, true>> = {
  scheduled: true,
  queued: true,
  dialing: true,
  ringing: true,
  talking: true,
  ended: true,
};
const END_REASONS: Readonly<Record<EndReason, true>> = {
  callee_hangup: true,
  agent_hangup: true,
  api_hangup: true,
  transferred: true,
  voicemail_hangup: true,
  voicemail_left: true,
  max_duration: true,
  silence: true,
  no_answer: true,
  busy: true,
  declined: true,
  blocked: true,
  invalid_number: true,
  unreachable: true,
  canceled: true,
  expired: true,
  carrier_rejected: true,
  carrier_unavailable: true,
  media_timeout: true,
  no_audio: true,
  fax: true,
  engine_error: true,
  insufficient_credit: true,
  spend_limit: true,
  destination_blocked: true,
  suppressed: true,
  outside_calling_hours: true,
  worker_lost: true,
  internal_error: true,
};

const isKeyOf = <Key extends string>(known: Readonly<Record<Key, true>>, value: string): value is Key =>
  Object.hasOwn(known, value);

/** Parses a filter from the URL. Unknown options are dropped, so that old links still open. Typed text is kept. */
export function readCallFilter(search: Record<string, unknown>): CallFilter {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  };
  const moment = (name: "createdAfter" | "createdBefore") =>
    Number.isNaN(Date.parse(text(name))) ? {} : { [name]: new Date(text(name)).toISOString() };
  const status = text("status");
  const phase = text("phase");
  const hourOfDay = /^(1?\d|2[0-3])$/.test(text("hourOfDay")) ? text("hourOfDay") : "";
  const short = (name: "engine" | "outcome" | "apiKeyId") => (text(name) ? { [name]: text(name).slice(0, 64) } : {});
  const endReason = text("endReason");
  const sort = ORDERS.find((order) => order === search["sort"]);
  // Links of earlier releases had separate fields for the number and the words.
  const typed = text("search") || text("q") || text("phoneNumber");
  return {
    ...(typed ? { search: typed.slice(0, SEARCH_CHARS_MAX) } : {}),
    ...(isKeyOf(STATUSES, status) ? { status } : {}),
    ...(isKeyOf(END_REASONS, endReason) ? { endReason } : {}),
    ...(text("agentId") ? { agentId: text("agentId") } : {}),
    ...(/^\d{1,9}$/.test(text("agentVersion")) ? { agentVersion: text("agentVersion") } : {}),
    ...short("engine"),
    ...short("outcome"),
    ...short("apiKeyId"),
    ...(isKeyOf(PHASES, phase) ? { phase } : {}),
    ...(hourOfDay ? { hourOfDay, timeZone: text("timeZone") || "UTC" } : {}),
    ...moment("createdAfter"),
    ...moment("createdBefore"),
    ...(sort ? { sort } : {}),
  };
}

export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  return { ...readCallFilter(search), ...(search["show"] === "live" ? { show: "live" } : {}) };
}

/** The bounds of a list that has the calls from one moment on, up to another: the API excludes both bounds. */
export function createdWithin(
  from: string,
  to: string,
): { readonly createdAfter: string; readonly createdBefore: string } {
  return { createdAfter: new Date(Date.parse(from) - 1).toISOString(), createdBefore: to };
}

/** Whether calls can be found by the typed text, if there is any. The API refuses what has no words. */
export function isSearchable({ search }: CallFilter): boolean {
  return search === undefined || search.split(/\s+/).some((word) => /[\p{L}\p{N}]/u.test(word) && !/^-/.test(word));
}

export function isNarrowed({ sort: _, ...filter }: CallFilter): boolean {
  return Object.keys(filter).length > 0;
}
