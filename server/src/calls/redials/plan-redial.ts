import { Flow } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { readAgentVersion } from "../../agents/read-agent-version.ts";
import type { Tx } from "../../platform/database/database.ts";
import { calleeTimeZone } from "../../speech/conversations/callee-time-zone.ts";
import type { CallRow } from "../call-record.ts";
import { insertRedial } from "./redial-store.ts";

const REDIALS_MAX = 1;
const LATER_AFTER_MINUTES = 120;
const MINUTE_MS = 60_000;
/** Calls cannot be scheduled further ahead. */
const AHEAD_MAX_MS = 90 * 24 * 60 * MINUTE_MS;

/**
 * Plans the call that a callee asked for, if the flow says so, in the transaction that ends the call. It is created
 * afterwards, because the gate may refuse it.
 */
export async function planRedial(tx: Tx, call: CallRow): Promise<void> {
  const callback = call.collected?.["callback"];
  if (typeof callback !== "string" || call.status !== "completed" || call.ended_at === null) return;
  const flow = Flow.safeParse((await readAgentVersion(tx, call.agent_id, call.agent_version)).flow);
  // A flow of a later release, after a restore into this one.
  const settings = flow.success ? flow.data.settings?.callback : undefined;
  if (settings?.redial !== true || call.redials >= (settings.redialsMax ?? REDIALS_MAX)) return;
  const callAt = redialTime(callback, settings, call.ended_at.getTime(), calleeTimeZone(call.phone_number));
  if (callAt !== null) await insertRedial(tx, call.id, new Date(callAt));
}

/**
 * When to call again: at the named time, on the named day at the time of day of this call, or later. Null if that is
 * too far ahead. What was named is where the callee is: `2026-01-31 17:00`, `2026-01-31` or `later`.
 */
export function redialTime(
  callback: string,
  settings: NonNullable<FlowSettings["callback"]>,
  endedAtMs: number,
  timeZone: string,
): number | null {
  const laterMs = endedAtMs + (settings.laterAfterMinutes ?? LATER_AFTER_MINUTES) * MINUTE_MS;
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}))?$/.exec(callback) ?? [];
  if (day === undefined) return laterMs;
  const ended = Temporal.Instant.fromEpochMilliseconds(endedAtMs).toZonedDateTimeISO(timeZone);
  const plainTime = time === undefined ? ended.toPlainTime() : Temporal.PlainTime.from(time);
  const namedMs = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
  if (namedMs > endedAtMs + AHEAD_MAX_MS) return null;
  // A day without a time may be today.
  return namedMs <= endedAtMs + MINUTE_MS ? laterMs : namedMs;
}
