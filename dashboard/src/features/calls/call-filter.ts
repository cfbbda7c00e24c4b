import type { CallStatus, EndReason } from "@parley/contract/calls";
import { PhoneNumberFilter } from "@parley/contract/shared-fields";
import { END_REASON_LABELS, STATUS_LABELS } from "./call-labels.ts";

/** The filter of the list. It is part of the URL, so that a view can be bookmarked and shared. */
export interface CallFilter {
  readonly status?: CallStatus;
  readonly endReason?: EndReason;
  readonly agentId?: string;
  /** A number or part of one, as typed. */
  readonly phoneNumber?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Text of the transcript. */
  readonly q?: string;
}

const QUERY_CHARS_MAX = 200;
const NUMBER_CHARS_MAX = 40;

const isKeyOf = <Key extends string>(words: Readonly<Record<Key, string>>, value: string): value is Key =>
  Object.hasOwn(words, value);

/**
 * Parses a filter from the URL. Unknown options are dropped, so that old links still open. Typed text is kept: when it cannot
 * be searched for, the page says so.
 */
export function readCallFilter(search: Record<string, unknown>): CallFilter {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  };
  const moment = (name: "createdAfter" | "createdBefore") =>
    Number.isNaN(Date.parse(text(name))) ? {} : { [name]: new Date(text(name)).toISOString() };
  const status = text("status");
  const endReason = text("endReason");
  return {
    ...(isKeyOf(STATUS_LABELS, status) ? { status } : {}),
    ...(isKeyOf(END_REASON_LABELS, endReason) ? { endReason } : {}),
    ...(text("agentId") ? { agentId: text("agentId") } : {}),
    ...(text("phoneNumber") ? { phoneNumber: text("phoneNumber").slice(0, NUMBER_CHARS_MAX) } : {}),
    ...(text("q") ? { q: text("q").slice(0, QUERY_CHARS_MAX) } : {}),
    ...moment("createdAfter"),
    ...moment("createdBefore"),
  };
}

/** Why the typed number cannot be searched for, or null. */
export function problemOfNumber({ phoneNumber }: CallFilter): string | null {
  if (phoneNumber === undefined || PhoneNumberFilter.safeParse(phoneNumber).success) return null;
  return /[^\d\s()+./-]/.test(phoneNumber)
    ? "A phone number has only digits, spaces and + ( ) - . / in it."
    : "Enter 3 to 15 digits of the number.";
}

/** The query of the API. Digits without a plus sign match anywhere in a number, so that part of one is enough. */
export function toCallQuery({ phoneNumber, ...filter }: CallFilter): CallFilter {
  return phoneNumber === undefined ? filter : { ...filter, phoneNumber: phoneNumber.replaceAll(/\D/g, "") };
}

export function isNarrowed(filter: CallFilter): boolean {
  return Object.keys(filter).length > 0;
}
