import type { Call, EndedBy, EndReason } from "@parley/contract/calls";
import { settleCredit } from "../../accounts/credits/hold-credit.ts";
import { priceCall, secondsPaidFor } from "../../accounts/credits/price-call.ts";
import { freeTrunkSlot } from "../../phone/trunks/slot-store.ts";
import type { Tx } from "../../platform/database/database.ts";
import { analyzeEndedCall } from "../analysis/analyze-call.ts";
import { type CallRow, pricesOf } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import { recordNotCharged, secondsInWords } from "../incidents/incidents.ts";
import { planRedial } from "../redials/redials.ts";
import { indexTranscript } from "../transcripts/search/search-transcripts.ts";
import { closeAttempts } from "./dialing/attempt-store.ts";
import { closeRun, freeLaneSlot } from "./lease/lease-store.ts";
import { countLateEvent, setEnded } from "./lease/progress-store.ts";

/** The end of a call, as seen by its worker or by the one that took over. */
export interface CallEnd {
  readonly reason: EndReason;
  readonly by: EndedBy;
  /** An answered call that broke off still counts as failed. */
  readonly isOrderly: boolean;
  readonly carrier: Call["carrier"];
  /** From answer to hang-up, by a monotonic clock; null when the call was not answered. */
  readonly talkedMs: number | null;
  /** How much of that the callee could not be heard, or had no audio, because of us. It is not charged. */
  readonly lostMs?: number;
  /** How long ago it ended; the commit may be late. */
  readonly agoMs: number;
  /** Whether the network confirmed that the leg is gone. Otherwise it may still occupy a channel of its trunk. */
  readonly isLegGone: boolean;
  /** The audio quality; null when there was no audio, or it is unknown. */
  readonly quality?: Call["quality"];
}

const NOT_CHARGED = "Not charged: the conversation failed on our side.";
const LOST_TIME = { what: "audio_late", reason: "the audio of the call stopped on our side", agoMs: 0 } as const;
const BROKE_OFF = { what: "conversation_failed", reason: "the agent's flow could not go on", agoMs: 0 } as const;

/**
 * Ends a call in the caller's transaction: final status, settlement, the freed slot, the event and its webhooks are
 * committed together or not at all. The call must be locked.
 */
export async function endCall(tx: Tx, call: CallRow, end: CallEnd): Promise<CallRow> {
  const answered = end.talkedMs !== null;
  const durationSeconds = end.talkedMs === null ? null : Math.ceil(end.talkedMs / 1000);
  const lostSeconds = Math.floor((end.lostMs ?? 0) / 1000);
  const heldSeconds = Math.max(0, (durationSeconds ?? 0) - lostSeconds);
  const prices = pricesOf(call);
  // The hold is the most a call can ever cost, whatever its clock says.
  const billedSeconds = !isHeld(end)
    ? 0
    : call.is_charged
      ? secondsPaidFor(prices, call.held_micros, heldSeconds)
      : heldSeconds;
  const costMicros = priceCall(prices, billedSeconds).totalMicros;
  const status = answered && end.isOrderly ? "completed" : "failed";
  if (answered && !isHeld(end)) await recordNotCharged(tx, call, BROKE_OFF, "The call was not charged.");
  else if (answered && lostSeconds > 0)
    await recordNotCharged(
      tx,
      call,
      LOST_TIME,
      `${secondsInWords(lostSeconds)} of the call ${lostSeconds === 1 ? "was" : "were"} not charged.`,
    );
  const setting = setEnded(tx, call.id, {
    status,
    endReason: end.reason,
    endedBy: end.by,
    carrier: end.carrier,
    durationSeconds,
    billedSeconds,
    costMicros,
    quality: end.quality ?? null,
    agoMs: end.agoMs,
  });
  const closing = closeAttempts(tx, call.id, {
    cause: end.reason,
    code: end.carrier?.code ?? null,
    reason: end.carrier?.reason ?? "",
    withTrunks: end.isLegGone,
  });
  const [ended, freedTrunkIds] = await Promise.all([setting, closing]);
  await recordCallEvent(tx, ended, status === "completed" ? "call.completed" : "call.failed", {
    endReason: end.reason,
    endedBy: end.by,
    durationSeconds,
  });
  // The transcript was committed as it was spoken, so it is complete.
  if (answered) {
    await indexTranscript(tx, call.id);
    await recordCallEvent(tx, await countLateEvent(tx, call.id), "call.transcript.ready");
    await analyzeEndedCall(tx, ended);
    await planRedial(tx, ended);
  }
  const settlement = {
    accountId: call.account_id,
    callId: call.id,
    keyId: call.api_key_id,
    heldMicros: call.held_micros,
    costMicros: call.is_charged ? costMicros : 0n,
    note: answered && !isHeld(end) ? NOT_CHARGED : "",
  };
  const wasClaimed = call.state !== "queued";
  // What follows locks rows that many calls need, so it is sent at once, in this order, and nothing comes after it. The lane and
  // the trunk are last, so that waiting for the credit rows does not block other calls of theirs.
  await Promise.all([
    wasClaimed ? closeRun(tx, call.id, call.fence, end.reason) : undefined,
    call.held_micros > 0n && call.held_on ? settleCredit(tx, { ...settlement, day: call.held_on }) : undefined,
    ...freedTrunkIds.map((trunkId) => freeTrunkSlot(tx, trunkId)),
    wasClaimed ? freeLaneSlot(tx, call) : undefined,
  ]);
  return ended;
}

/** A conversation that we failed is not charged, however long it took. */
function isHeld({ reason }: CallEnd): boolean {
  return reason !== "engine_error";
}

/** Ends a call that no worker has claimed: canceled, or expired in the queue. */
export function endUnclaimed(tx: Tx, call: CallRow, reason: "canceled" | "expired", by: EndedBy): Promise<CallRow> {
  return endCall(tx, call, { reason, by, isOrderly: true, carrier: null, talkedMs: null, agoMs: 0, isLegGone: true });
}
