import type { Call, NewCall } from "@parley/contract/calls";
import { AppError, invalidField } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import { holdCredit } from "../credits/hold-credit.ts";
import { type CallPrices, priceCall } from "../credits/price-call.ts";
import type { Tx } from "../database/database.ts";
import type { Actor } from "../http/actor.ts";
import { toCall } from "./call-record.ts";
import { insertCall } from "./call-store.ts";
import { recordCallEvent } from "./record-event.ts";
import { refuseUnsupported } from "./refuse-unsupported.ts";

/** What an immediate live call sets aside when it is accepted. */
export const HOLD_SECONDS = 120;

/** An agent as a new call needs it. */
export interface CallableAgent {
  /** The version to pin, or null when nothing is published. */
  readonly version: number | null;
  readonly engine: string | null;
  readonly needsModel: boolean;
}

export interface CreateCallDeps {
  /** Null when the account has no such agent; throws when the pinned version does not exist. */
  findAgent(
    tx: Tx,
    accountId: string,
    agentId: string,
    pinnedVersion: number | undefined,
  ): Promise<CallableAgent | null>;
  /** Returns the engine's name, or throws because it is unknown or not configured, or lacks the model the agent needs. */
  chooseEngine(asked: string | undefined, agent: Pick<CallableAgent, "engine" | "needsModel">): string;
  findPrices(tx: Tx, phoneNumber: string, engine: string): Promise<CallPrices>;
  isSuppressed(tx: Tx, accountId: string, phoneNumber: string): Promise<boolean>;
  /** Why the callee may not be shown this number, or null. */
  refuseCallerId(mode: Mode, from: string | undefined): AppError | null;
}

/** A call that is written down; it counts once its credit is held in the same transaction. */
export interface AcceptedCall {
  readonly call: Call;
  holdCredit(tx: Tx): Promise<void>;
}

const FREE: CallPrices = { routePerMinuteMicros: 0n, enginePerMinuteMicros: 0n };

/** Accepts a call: the row, the credit hold, the first event and its report are one transaction. Dialing is the worker's. */
export async function createCall(
  deps: CreateCallDeps,
  tx: Tx,
  actor: Actor,
  mode: Mode,
  request: NewCall,
): Promise<AcceptedCall> {
  refuseUnsupported(request, mode);
  const callerIdRefusal = deps.refuseCallerId(mode, request.from);
  if (callerIdRefusal) throw callerIdRefusal;
  const { accountId } = actor;
  const agent = await deps.findAgent(tx, accountId, request.agentId, request.agentVersion);
  if (!agent) throw new AppError("agent_not_found", "The account has no such agent.", { param: "agentId" });
  if (agent.version === null) {
    throw new AppError("agent_not_published", "The agent has no published version yet; publish it first.", {
      param: "agentId",
    });
  }
  const engine = deps.chooseEngine(request.engine, agent);
  if (await deps.isSuppressed(tx, accountId, request.phoneNumber)) {
    throw new AppError("destination_not_allowed", "The number is on the account's suppression list.", {
      param: "phoneNumber",
    });
  }
  const id = makeId("call");
  const keyId = actor.kind === "key" ? actor.keyId : null;
  const prices = mode === "live" ? await deps.findPrices(tx, request.phoneNumber, engine) : FREE;
  const heldMicros = priceCall(prices, HOLD_SECONDS).totalMicros;
  const row = await insertCall(tx, {
    id,
    accountId,
    mode,
    keyId,
    memberId: actor.kind === "member" ? actor.memberId : null,
    request,
    engine,
    agentVersion: agent.version,
    gate: { decision: "allowed", reasons: ["not_suppressed"] },
    ...prices,
    heldMicros,
  });
  if (!row) throw new AppError("queue_full", "As many calls of this account wait as may.", { retryAfterSeconds: 5 });
  await recordCallEvent(tx, row, "call.initiated", {
    phoneNumber: row.phone_number,
    agentId: row.agent_id,
    engine: row.engine,
  });
  return {
    call: toCall(row),
    // Held last, because it locks rows that every live call of the account needs.
    holdCredit: async (tx) => {
      if (heldMicros > 0n) {
        await holdCredit(tx, { accountId, callId: id, keyId, micros: heldMicros, kind: "hold", day: row.held_on });
      }
    },
  };
}

/** Refuses a version of an agent that was never published. */
export function unknownAgentVersion(): AppError {
  return invalidField("agentVersion", "unknown_version", "agentVersion must be a published version of the agent.");
}
