import type { NewCall } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import { Flow } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { readAgentVersion } from "../../agents/read-agent-version.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { calleeTimeZone } from "../../speech/conversations/callee-time-zone.ts";
import type { CallRow } from "../call-record.ts";
import { type Caller, type CreateCallDeps, createCall } from "../create-call.ts";
import { recordCallEvent } from "../event-store.ts";
import {
  type DueRedial,
  deleteRedial,
  insertRedial,
  lockDueRedial,
  postponeRedial,
  setFollowedBy,
} from "./redial-store.ts";

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

/** A run that finds more leaves the rest to the next one. */
const CREATED_AT_ONCE = 500;
const RETRY_SECONDS = 60;
/** A callee who has waited this long does not expect the call any more. */
const LATE_MAX_MS = 24 * 60 * 60_000;

export interface CreateRedialsDeps extends CreateCallDeps {
  readonly db: Database;
}

/**
 * Creates the calls that callees asked for, each exactly once however many processes do this at the same time: the plan
 * is deleted in the transaction that creates the call. Returns how many plans were settled.
 */
export async function createRedials(deps: CreateRedialsDeps): Promise<number> {
  for (let settled = 0; settled < CREATED_AT_ONCE; settled += 1) {
    let due: DueRedial | null = null;
    try {
      await inTransaction(deps.db, async (tx) => {
        due = await lockDueRedial(tx);
        if (due !== null) await createFollowUp(deps, tx, due);
      });
    } catch (error) {
      if (due === null || !(error instanceof AppError)) throw error;
      await inTransaction(deps.db, (tx) => refuse(deps, tx, due as unknown as DueRedial, error));
    }
    if (due === null) return settled;
  }
  return CREATED_AT_ONCE;
}

async function createFollowUp(
  deps: CreateRedialsDeps,
  tx: Tx,
  { call, callAt, isKeyRevoked }: DueRedial,
): Promise<void> {
  const caller = isKeyRevoked ? null : callerOf(call);
  if (caller === null) throw new AppError("invalid_state", "The key or member that placed the call is gone.");
  const follows = { callId: call.id, redials: call.redials + 1 };
  const accepted = await createCall(deps, tx, caller, call.mode, requestLike(call, callAt), follows);
  await deleteRedial(tx, call.id);
  const row = await setFollowedBy(tx, call.id, accepted.call.id);
  const data = { callId: accepted.call.id, scheduledAt: callAt.toISOString() };
  await recordCallEvent(tx, row, "call.redial_scheduled", data);
  await accepted.admit(tx);
}

/** A full queue is tried again; every other refusal stands. */
async function refuse(deps: CreateRedialsDeps, tx: Tx, { call, callAt }: DueRedial, error: AppError): Promise<void> {
  if (error.code === "queue_full" && deps.nowMs() < callAt.getTime() + LATE_MAX_MS) {
    await postponeRedial(tx, call.id, RETRY_SECONDS);
    return;
  }
  // Another process may have settled it since.
  if (!(await deleteRedial(tx, call.id))) return;
  const row = await setFollowedBy(tx, call.id, null);
  await recordCallEvent(tx, row, "call.redial_refused", { code: error.code, reason: error.message });
}

/** The follow-up is placed by the key or the member that placed the call. */
function callerOf({ account_id: accountId, api_key_id: keyId, member_id: memberId }: CallRow): Caller | null {
  if (keyId !== null) return { kind: "key", accountId, keyId };
  return memberId === null ? null : { kind: "member", accountId, memberId };
}

/** The request of a call, for another time. */
function requestLike(call: CallRow, callAt: Date): NewCall {
  return {
    phoneNumber: call.phone_number,
    agentId: call.agent_id,
    engine: call.engine,
    // Drafts have negative numbers. Otherwise the currently published version.
    agentVersion: call.agent_version < 0 ? "draft" : undefined,
    from: call.from_number ?? undefined,
    variables: call.variables,
    metadata: call.metadata,
    maxDurationSeconds: call.max_duration_seconds,
    ringTimeoutSeconds: call.ring_timeout_seconds,
    record: call.record,
    voicemail: call.voicemail ?? undefined,
    callingHours: call.calling_hours,
    consent: call.consent ?? undefined,
    simulation: call.simulation ?? undefined,
    scheduledAt: callAt.toISOString(),
  };
}
