import { emptyAnalysis } from "@parley/contract/analysis";
import type { Call, CallPhase } from "@parley/contract/calls";
import { formatUsd } from "@parley/contract/money";
import type { Transcript } from "@parley/contract/transcripts";
import type { Selectable } from "kysely";
import { type CallPrices, priceCall } from "../accounts/credits/price-call.ts";
import { countryOf } from "../phone/gate/callee-zones.ts";
import type { Schema } from "../platform/database/schema/schema.ts";

export type CallRow = Selectable<Schema["calls"]>;

/** The public representation of a call, the same in replies, lists, streams and webhooks. */
export function toCall(row: CallRow): Call {
  return {
    id: row.id,
    phoneNumber: row.phone_number,
    agentId: row.agent_id,
    status: row.status,
    engine: row.engine,
    createdAt: row.created_at.toISOString(),
    mode: row.mode,
    phase: phaseOf(row),
    waiting: null,
    network: row.network,
    // Drafts that were tested have negative version numbers, which mean nothing to clients.
    agentVersion: Math.max(0, row.agent_version),
    from: row.from_number,
    variables: row.variables,
    metadata: row.metadata,
    scheduledAt: row.scheduled_at?.toISOString() ?? null,
    answeredAt: row.answered_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    durationSeconds: row.duration_seconds,
    endReason: row.end_reason,
    endedBy: row.ended_by,
    answeredBy: row.answered_by,
    calleeLanguage: row.callee_language,
    carrier: row.carrier,
    gate: row.gate,
    cost: costOf(row),
    recording: recordingOf(row),
    transcript: transcriptOf(row),
    latency: row.latency,
    engineParts: row.engine_parts,
    quality: row.quality,
    collected: row.collected,
    analysis: analysisOf(row),
    country: countryOf(row.phone_number),
    follows: row.follows_call_id,
    followedBy: row.followed_by_call_id,
    incidents: row.incidents,
  };
}

/** A claimed call has not been dialed, so clients still see it as queued. */
function phaseOf(row: CallRow): CallPhase {
  if (row.state === "claimed") return "queued";
  if (row.state === "queued" && (row.scheduled_at || row.gate?.decision === "waiting")) return "scheduled";
  return row.state;
}

function recordingOf({ id, recording }: CallRow): Call["recording"] {
  if (recording === null) return null;
  const { status, durationMs, partial, gaps, reason } = recording;
  const durationSeconds = durationMs === null ? null : durationMs / 1000;
  return { status, durationSeconds, partial, gaps: [...(gaps ?? [])], url: `/api/v1/calls/${id}/recording`, reason };
}

/** The transcript is written while people talk, so it is complete when the call has ended. */
function transcriptOf(row: CallRow): Call["transcript"] {
  if (row.answered_at === null) return null;
  return { status: transcriptStatusOf(row), url: `/api/v1/calls/${row.id}/transcript` };
}

/** The status of the transcript of an answered call. */
export function transcriptStatusOf({ state, transcript_erased_at: erasedAt }: CallRow): Transcript["status"] {
  if (erasedAt !== null) return "erased";
  return state === "ended" ? "ready" : "in_progress";
}

/** Calls that ended before this service had analysis have none. */
function analysisOf(row: CallRow): Call["analysis"] {
  if (row.answered_at === null) return null;
  if (row.transcript_erased_at !== null) return emptyAnalysis("off");
  return row.state === "ended" ? row.analysis : emptyAnalysis("pending");
}

function costOf(row: CallRow): Call["cost"] {
  if (row.cost_micros === null) return null;
  const priced = priceCall(pricesOf(row), row.billed_seconds ?? 0);
  const lines = priced.lines.map(({ item, seconds, perMinuteMicros, micros }) => ({
    item,
    seconds,
    perMinute: formatUsd(perMinuteMicros),
    amount: formatUsd(micros),
  }));
  const isFree = row.cost_micros === 0n;
  return {
    total: formatUsd(row.cost_micros),
    currency: "USD",
    lines: isFree ? [] : lines,
    charged: row.is_charged && !isFree,
  };
}

type PriceColumns = Pick<
  CallRow,
  "route_per_minute_micros" | "engine_per_minute_micros" | "bridge_per_minute_micros" | "bridged_after_seconds"
>;

/** The prices of this call per minute, as fixed when it was accepted and when it was bridged. */
export function pricesOf(call: PriceColumns): CallPrices {
  const { bridged_after_seconds: afterSeconds, bridge_per_minute_micros: perMinuteMicros } = call;
  return {
    routePerMinuteMicros: call.route_per_minute_micros,
    enginePerMinuteMicros: call.engine_per_minute_micros,
    bridge: afterSeconds === null ? null : { perMinuteMicros, afterSeconds },
  };
}
