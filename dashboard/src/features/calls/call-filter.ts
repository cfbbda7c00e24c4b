import type { CallStatus, EndReason } from "@parley/contract/calls";
import { END_REASON_WORDS, STATUS_WORDS } from "./call-words.ts";

/** What the list is narrowed to. It lives in the address, so that a view can be kept and sent to somebody. */
export interface CallFilter {
  readonly status?: CallStatus;
  readonly endReason?: EndReason;
  readonly agentId?: string;
  readonly phoneNumber?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Words that were heard. */
  readonly q?: string;
}

const QUERY_CHARS_MAX = 200;

const isKeyOf = <Key extends string>(words: Readonly<Record<Key, string>>, value: string): value is Key =>
  Object.hasOwn(words, value);

/** Reads a filter out of an address. What is not understood is left out: an old link still opens. */
export function readCallFilter(search: Record<string, unknown>): CallFilter {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  };
  const moment = (name: "createdAfter" | "createdBefore") =>
    Number.isNaN(Date.parse(text(name))) ? {} : { [name]: new Date(text(name)).toISOString() };
  const status = text("status");
  const endReason = text("endReason");
  const phoneNumber = text("phoneNumber").replaceAll(/[\s().-]/g, "");
  return {
    ...(isKeyOf(STATUS_WORDS, status) ? { status } : {}),
    ...(isKeyOf(END_REASON_WORDS, endReason) ? { endReason } : {}),
    ...(text("agentId") ? { agentId: text("agentId") } : {}),
    ...(/^\+?[1-9]\d{6,14}$/.test(phoneNumber) ? { phoneNumber: `+${phoneNumber.replace("+", "")}` } : {}),
    ...(text("q") ? { q: text("q").slice(0, QUERY_CHARS_MAX) } : {}),
    ...moment("createdAfter"),
    ...moment("createdBefore"),
  };
}

export function isNarrowed(filter: CallFilter): boolean {
  return Object.keys(filter).length > 0;
}
