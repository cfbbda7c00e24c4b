import type { CallStatus, EndReason } from "@parley/contract/calls";
import { PhoneNumberFilter } from "@parley/contract/shared-fields";
import { END_REASON_WORDS, STATUS_WORDS } from "./call-labels.ts";

/** What the list is narrowed to. It lives in the address, so that a view can be kept and sent to somebody. */
export interface CallFilter {
  readonly status?: CallStatus;
  readonly endReason?: EndReason;
  readonly agentId?: string;
  /** A number or part of one, as it was typed. */
  readonly phoneNumber?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  /** Words that were heard. */
  readonly q?: string;
}

const QUERY_CHARS_MAX = 200;
const NUMBER_CHARS_MAX = 40;

const isKeyOf = <Key extends string>(words: Readonly<Record<Key, string>>, value: string): value is Key =>
  Object.hasOwn(words, value);

/**
 * Reads a filter out of an address. A choice that does not exist is left out: an old link still opens. What somebody typed
 * stays: when it cannot be looked for, they are told.
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
    ...(isKeyOf(STATUS_WORDS, status) ? { status } : {}),
    ...(isKeyOf(END_REASON_WORDS, endReason) ? { endReason } : {}),
    ...(text("agentId") ? { agentId: text("agentId") } : {}),
    ...(text("phoneNumber") ? { phoneNumber: text("phoneNumber").slice(0, NUMBER_CHARS_MAX) } : {}),
    ...(text("q") ? { q: text("q").slice(0, QUERY_CHARS_MAX) } : {}),
    ...moment("createdAfter"),
    ...moment("createdBefore"),
  };
}

/** Why no call can be looked for by the number that was typed, or null. */
export function problemOfNumber({ phoneNumber }: CallFilter): string | null {
  if (phoneNumber === undefined || PhoneNumberFilter.safeParse(phoneNumber).success) return null;
  return /[^\d\s()+./-]/.test(phoneNumber)
    ? "A phone number has only digits, spaces and + ( ) - . / in it."
    : "Enter 3 to 15 digits of the number.";
}

/** What the API is asked for. Digits without a plus sign are found anywhere in a number, so that part of one is enough. */
export function toCallQuery({ phoneNumber, ...filter }: CallFilter): CallFilter {
  return phoneNumber === undefined ? filter : { ...filter, phoneNumber: phoneNumber.replaceAll(/\D/g, "") };
}

export function isNarrowed(filter: CallFilter): boolean {
  return Object.keys(filter).length > 0;
}
