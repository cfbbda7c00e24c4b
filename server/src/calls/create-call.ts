import type { Call, NewCall } from "@parley/contract/calls";
import { AppError, invalidField } from "@parley/contract/errors";
import type { GateRecord } from "@parley/contract/gate";
import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import type { CallRate } from "../accounts/credits/find-rate.ts";
import { priceCall } from "../accounts/credits/price-call.ts";
import type { CallRouting } from "../phone/carriers/where-calls-go.ts";
import type { Admission } from "../phone/gate/count-and-hold-credit.ts";
import type { GateDecision } from "../phone/gate/decide.ts";
import { refuseByGate } from "../phone/gate/gate-words.ts";
import type { GateQuestion } from "../phone/gate/judge-number.ts";
import { type ListAndCredit, readListAndCredit } from "../phone/gate/suppression-store.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import type { KeyActor, MemberActor } from "../platform/http/authenticate.ts";
import { toCall } from "./call-record.ts";
import { type FollowedCall, insertCall } from "./call-store.ts";
import { recordCallEvent } from "./event-store.ts";
import { indexKeywords } from "./transcripts/search/search-transcripts.ts";

/** How much talk time an immediate live call holds credit for when it is accepted. */
export const HOLD_SECONDS = 120;

/** What a new call needs to know of an agent. */
interface CallableAgent {
  /** The version to pin; null when none is published. */
  readonly version: number | null;
  readonly engine: string | null;
  readonly needsModel: boolean;
  /** A BCP 47 tag; left out where no version is known. */
  readonly language?: string;
}

export interface CreateCallDeps {
  /** Null when the account has no such agent; throws when the pinned version does not exist. */
  findAgent(
    tx: Tx,
    accountId: string,
    agentId: string,
    pinnedVersion: number | "draft" | undefined,
  ): Promise<CallableAgent | null>;
  /** Returns the engine's name, or throws when it is unknown, not configured, or lacks the model or language of the agent. */
  chooseEngine(asked: string | undefined, agent: Pick<CallableAgent, "engine" | "needsModel" | "language">): string;
  /** Throws when the engine cannot conduct the flow of this version. */
  refuseFlow(tx: Tx, engine: string, agentId: string, version: number): Promise<void>;
  findRate(db: Database, phoneNumber: string, engine: string): Promise<CallRate>;
  /** The network the call would use now, and whether it would be charged. */
  routeCall(mode: Mode, to: string, from: string | null): CallRouting;
  /** Asks the gate whether the number may be called. */
  judgeNumber(db: Database, question: GateQuestion): Promise<GateDecision>;
  /** Counts the call and holds its credit. Throws when it cannot, without any effect. */
  countAndHoldCredit(tx: Tx, admission: Admission): Promise<void>;
  readonly nowMs: () => number;
  /** Why the caller ID is refused, or null. */
  refuseCallerId(mode: Mode, from: string | undefined): AppError | null;
}

/** In whose name a call is placed. */
export type Caller =
  | Pick<KeyActor, "kind" | "accountId" | "keyId">
  | Pick<MemberActor, "kind" | "accountId" | "memberId">;

/** A call that is stored; it counts once it is admitted in the same transaction. */
export interface AcceptedCall {
  readonly call: Call;
  /** Records its first event, counts it and holds its credit. Comes last, because it locks rows that every live call of the account needs. */
  admit(tx: Tx): Promise<void>;
}

const FREE: CallRate = { prefix: "+", routePerMinuteMicros: 0n, enginePerMinuteMicros: 0n };

/**
 * Accepts a call: the row, the credit hold, the first event and its webhooks are one transaction. A worker dials it.
 */
export async function createCall(
  deps: CreateCallDeps,
  tx: Tx,
  actor: Caller,
  mode: Mode,
  request: NewCall,
  follows: FollowedCall | null = null,
): Promise<AcceptedCall> {
  const nowMs = deps.nowMs();
  refuseImpossible(request, mode, nowMs);
  const callerIdRefusal = deps.refuseCallerId(mode, request.from);
  if (callerIdRefusal) throw callerIdRefusal;
  const { accountId } = actor;
  const [agent, listAndCredit] = await Promise.all([
    deps.findAgent(tx, accountId, request.agentId, request.agentVersion),
    readListAndCredit(tx, accountId, request.phoneNumber),
  ]);
  if (!agent) throw new AppError("agent_not_found", "The account has no such agent.", { param: "agentId" });
  if (agent.version === null) {
    throw new AppError("agent_not_published", "The agent has no published version yet; publish it first.", {
      param: "agentId",
    });
  }
  const engine = deps.chooseEngine(request.engine, agent);
  await deps.refuseFlow(tx, engine, request.agentId, agent.version);
  const keyId = actor.kind === "key" ? actor.keyId : null;
  const rate = mode === "live" ? await deps.findRate(tx, request.phoneNumber, engine) : FREE;
  const routing = deps.routeCall(mode, request.phoneNumber, request.from ?? null);
  const firstHoldMicros = routing.isCharged ? priceCall(rate, HOLD_SECONDS).totalMicros : 0n;
  const { dueAt, gate } = await passGate(deps, tx, accountId, mode, request, {
    rate,
    isCharged: routing.isCharged,
    firstHoldMicros,
    listAndCredit,
    nowMs,
  });
  const id = makeId("call");
  const heldMicros = dueAt === null ? firstHoldMicros : 0n;
  const row = await insertCall(tx, {
    id,
    accountId,
    mode,
    keyId,
    memberId: actor.kind === "member" ? actor.memberId : null,
    request,
    engine,
    routing,
    agentVersion: agent.version,
    gate,
    routePerMinuteMicros: rate.routePerMinuteMicros,
    enginePerMinuteMicros: rate.enginePerMinuteMicros,
    heldMicros,
    dueAt,
    follows,
  });
  if (!row) throw new AppError("queue_full", "The account's queue is full.", { retryAfterSeconds: 5 });
  if (request.metadata) await indexKeywords(tx, { id, accountId, mode });
  const call = toCall(row);
  const { phone_number: phoneNumber, agent_id: agentId, held_on: day } = row;
  const admission = { accountId, mode, callId: id, keyId, phoneNumber, isCounted: false, micros: heldMicros, day };
  return {
    call,
    async admit(tx) {
      // Sent at once, in this order.
      await Promise.all([
        recordCallEvent(tx, row, "call.initiated", { phoneNumber, agentId, engine: row.engine }, call),
        dueAt === null ? deps.countAndHoldCredit(tx, admission) : undefined,
      ]);
    },
  };
}

interface GateFacts {
  readonly rate: CallRate;
  readonly isCharged: boolean;
  readonly firstHoldMicros: bigint;
  readonly listAndCredit: ListAndCredit;
  readonly nowMs: number;
}

/** The gate's decision on a new call, and when to dial it; null for immediately. */
async function passGate(
  deps: Pick<CreateCallDeps, "judgeNumber">,
  tx: Tx,
  accountId: string,
  mode: Mode,
  { phoneNumber, callingHours, scheduledAt }: NewCall,
  { rate, isCharged, firstHoldMicros, listAndCredit, nowMs }: GateFacts,
): Promise<{ readonly dueAt: Date | null; readonly gate: GateRecord }> {
  const scheduledMs = scheduledAt === undefined ? nowMs : Math.max(nowMs, Date.parse(scheduledAt));
  const isLater = scheduledMs > nowMs;
  const judged = await deps.judgeNumber(tx, {
    accountId,
    mode,
    phoneNumber,
    callingHours,
    rate,
    isCharged,
    // The credit of a scheduled call is checked when its time has come.
    neededMicros: isLater ? 0n : firstHoldMicros,
    listAndCredit,
    isCounted: isLater,
    isAccepted: false,
    atMs: scheduledMs,
    sinceMs: scheduledMs,
  });
  if (judged.decision === "refused") throw refuseByGate(judged.reasons);
  const dueMs = judged.decision === "waiting" ? judged.untilMs : scheduledMs;
  const gate = { decision: judged.decision, reasons: [...judged.reasons] };
  return { dueAt: dueMs > nowMs ? new Date(dueMs) : null, gate };
}

/** The error for a version of an agent that was never published. */
export function unknownAgentVersion(): AppError {
  return invalidField("agentVersion", "unknown_version", "agentVersion must be a published version of the agent.");
}

const AHEAD_MAX_MS = 90 * 86_400_000;

/** Checks what the schema cannot: fields that do not fit the mode or the current time. */
function refuseImpossible(request: NewCall, mode: Mode, nowMs: number): void {
  if (request.simulation && mode === "live")
    throw invalidField("simulation", "test_only", "simulation works with test keys only.");
  if (request.agentVersion === "draft" && mode === "live")
    throw invalidField("agentVersion", "test_only", "agentVersion can be the draft with test keys only.");
  if (request.scheduledAt !== undefined && Date.parse(request.scheduledAt) > nowMs + AHEAD_MAX_MS)
    throw invalidField("scheduledAt", "too_far_ahead", "scheduledAt must not be more than 90 days ahead.");
}
