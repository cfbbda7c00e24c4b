import { makeId } from "@parley/contract/ids";
import type { DisabledReason } from "@parley/contract/webhooks";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { type AttemptNote, countFailedEvents, holdDeliveries, writeAttempts } from "../attempt-store.ts";
import { type EndpointRow, type HealthUpdate, lockEndpointRows, setDisabled, writeHealth } from "../endpoint-store.ts";
import { insertEvent } from "../outbox-store.ts";
import type { ClaimedDelivery } from "./claim-store.ts";
import { dueAfterFailure, type EndpointHealth, FAILED_EVENTS_TO_DISABLE, stepHealth } from "./endpoint-health.ts";
import { type EndpointAlert, explainDisabling } from "./notices.ts";
import { nextTryAt } from "./retry-schedule.ts";
import type { AttemptOutcome } from "./send-delivery.ts";

/** A completed attempt to record. */
export interface FinishedAttempt {
  readonly claimed: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
}

/**
 * Writes a batch of attempts, each of another delivery: their results, when each is retried, how their endpoints
 * fare now, and which of these are disabled for it. All of it is committed together; writing a batch twice is harmless.
 */
export function recordAttempts(
  db: Database,
  attempts: readonly FinishedAttempt[],
  random: () => number,
): Promise<EndpointAlert[]> {
  const ordered = attempts.toSorted((a, b) => a.outcome.endedAtMs - b.outcome.endedAtMs);
  return inTransaction(db, async (tx) => {
    const endpointIds = [...new Set(ordered.map(({ claimed }) => claimed.endpoint.id))];
    const endpoints = new Map((await lockEndpointRows(tx, endpointIds)).map((row) => [row.id, row]));
    await writeAttempts(
      tx,
      ordered.map((attempt) => noteOf(attempt, endpoints.get(attempt.claimed.endpoint.id), random)),
    );
    const notices: EndpointAlert[] = [];
    const updates: HealthUpdate[] = [];
    for (const endpoint of endpoints.values()) {
      const own = ordered.filter(({ claimed }) => claimed.endpoint.id === endpoint.id).map(({ outcome }) => outcome);
      const health = own.reduce(stepHealth, healthOf(endpoint));
      const result = await judge(tx, endpoint, health, own);
      if (result.notice) notices.push(result.notice);
      updates.push({ id: endpoint.id, ...columnsOf(health), warnedAt: result.warnedAt });
    }
    if (updates.length > 0) await writeHealth(tx, updates);
    return notices;
  });
}

/** Undefined for an endpoint that was removed meanwhile. */
function noteOf(
  { claimed, outcome }: FinishedAttempt,
  endpoint: EndpointRow | undefined,
  random: () => number,
): AttemptNote {
  const nextMs = outcome.isSuccess
    ? null
    : nextTryAt(claimed.tryCount + 1, outcome.endedAtMs, outcome.retryAfterMs, random);
  // A replay requested while an endpoint is disabled is attempted once.
  const isHeld = !endpoint?.is_enabled || outcome.isGone;
  const status = outcome.isSuccess ? "delivered" : isHeld ? "held" : nextMs === null ? "failed" : "pending";
  return {
    deliveryId: claimed.id,
    fence: claimed.fence,
    startedAt: new Date(outcome.startedAtMs),
    latencyMs: Math.max(0, Math.round(outcome.endedAtMs - outcome.startedAtMs)),
    isSuccess: outcome.isSuccess,
    httpStatus: outcome.httpStatus,
    reason: outcome.reason,
    responseBody: outcome.responseBody,
    status,
    nextAttemptAt: status === "pending" && nextMs !== null ? new Date(nextMs) : null,
    endedAt: new Date(outcome.endedAtMs),
  };
}

interface AttemptResult {
  readonly notice: EndpointAlert | null;
  readonly warnedAt: Date | null;
}

async function judge(
  tx: Tx,
  endpoint: EndpointRow,
  health: EndpointHealth,
  outcomes: readonly AttemptOutcome[],
): Promise<AttemptResult> {
  const last = outcomes.at(-1);
  const isUnchanged = { notice: null, warnedAt: health.failingSinceMs === null ? null : endpoint.warned_at };
  if (!last || !endpoint.is_enabled) return isUnchanged;
  if (outcomes.some(({ isGone }) => isGone)) return disable(tx, endpoint, "gone", last.endedAtMs);
  const due = dueAfterFailure(health, endpoint.warned_at !== null, last.endedAtMs);
  if (due === null || health.failingSinceMs === null) return isUnchanged;
  const since = new Date(health.failingSinceMs);
  const failed = await countFailedEvents(tx, endpoint.id, since, FAILED_EVENTS_TO_DISABLE);
  if (failed < FAILED_EVENTS_TO_DISABLE) return isUnchanged;
  if (due === "disable") return disable(tx, endpoint, "failing", last.endedAtMs);
  const { id, url, account_id: accountId } = endpoint;
  return { notice: { kind: "failing", accountId, endpoint: { id, url } }, warnedAt: new Date(last.endedAtMs) };
}

/** The other endpoints of the account are notified by an event. */
async function disable(
  tx: Tx,
  endpoint: EndpointRow,
  reason: Exclude<DisabledReason, "member">,
  nowMs: number,
): Promise<AttemptResult> {
  const { id, url, description, account_id: accountId, mode } = endpoint;
  const explanation = explainDisabling(reason);
  await setDisabled(tx, id, reason, new Date(nowMs));
  await holdDeliveries(tx, id);
  await insertEvent(
    tx,
    { accountId, mode },
    {
      id: makeId("event", nowMs),
      type: "webhook.disabled",
      createdAt: new Date(nowMs).toISOString(),
      sequence: null,
      data: { webhook: { id, url, description }, reason, explanation },
    },
    null,
  );
  return {
    notice: { kind: "disabled", accountId, endpoint: { id, url }, reason, explanation },
    warnedAt: endpoint.warned_at,
  };
}

function healthOf(row: EndpointRow): EndpointHealth {
  return {
    failuresInARow: row.failures_in_a_row,
    pausedUntilMs: row.paused_until?.getTime() ?? null,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    lastSuccessAtMs: row.last_success_at?.getTime() ?? null,
  };
}

function columnsOf(health: EndpointHealth): Omit<HealthUpdate, "id" | "warnedAt"> {
  const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));
  return {
    failuresInARow: health.failuresInARow,
    pausedUntil: dateOf(health.pausedUntilMs),
    failingSince: dateOf(health.failingSinceMs),
    lastSuccessAt: dateOf(health.lastSuccessAtMs),
  };
}
