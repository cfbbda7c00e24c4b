import { randomInt } from "node:crypto";
import { type Call, NewCall } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import type { Scenario, ScenarioResult } from "@parley/contract/scenarios";
import { findCall } from "../../calls/call-store.ts";
import { readCallEvents } from "../../calls/event-store.ts";
import { toCallEvent } from "../../calls/follow-call.ts";
import { readTranscript } from "../../calls/transcripts/transcript-store.ts";
import { unsuppressNumber } from "../../phone/gate/unsuppress-number.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/actor.ts";
import { readAgentVersion } from "../read-agent-version.ts";
import { outcomeOfCall } from "./outcome-of-call.ts";
import { finishRun, lockRun, noteCall, noteResult, type ResultRow, type RunRow, readResults } from "./run-store.ts";
import { toBrokenResult, toResult } from "./to-result.ts";
import { toSimulation } from "./to-simulation.ts";

export interface AdvanceDeps {
  readonly db: Database;
  /** Accepts a test call to a version of an agent and counts it, all in the transaction. */
  placeCall(tx: Tx, actor: Actor, request: NewCall, agentVersion: number): Promise<Call>;
}

/** More conversations at once would make a small machine slow, and then scenarios fail that nothing is wrong with. */
const CALLS_AT_ONCE = 2;
/** No scenario takes longer; whoever does not hang up by then never will. */
const CALL_SECONDS_MAX = 240;
/** More than any call has. */
const EVENTS_MAX = 1000;

/** A call that was refused takes back all that was written with it. */
class CallRefused extends Error {
  override readonly name = "CallRefused";
  readonly row: ResultRow;

  constructor(row: ResultRow, refusal: AppError) {
    super(refusal.message, { cause: refusal });
    this.row = row;
  }
}

/** Takes a run on audio a step further: judges the calls that have ended, and places the next ones. Harmless at any time. */
export async function advanceRun(deps: AdvanceDeps, runId: string): Promise<void> {
  for (;;) {
    try {
      return await takeStep(deps, runId);
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      const { row, message } = error;
      const broken = toBrokenResult(row.scenario, `Its call was refused. ${message}`);
      await inTransaction(deps.db, (tx) => noteResult(tx, row, broken));
    }
  }
}

async function takeStep(deps: AdvanceDeps, runId: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const run = await lockRun(tx, runId);
    if (run === null || run.finished_at !== null || run.agent_version === null) return;
    const { language } = await readAgentVersion(tx, run.agent_id, run.agent_version);
    let live = 0;
    let left = 0;
    for (const row of await readResults(tx, runId)) {
      if (row.result !== null) continue;
      if (row.call_id === null && live >= CALLS_AT_ONCE) {
        left += 1;
        continue;
      }
      const result = row.call_id === null ? null : await judge(tx, run, row, language);
      if (row.call_id === null) await place(deps, tx, run, row);
      if (result === null) live += 1;
      else await noteResult(tx, row, result);
    }
    if (live + left === 0) await finishRun(tx, runId);
  });
}

async function place(deps: AdvanceDeps, tx: Tx, run: RunRow, row: ResultRow): Promise<void> {
  const { scenario } = row;
  const digits = String(randomInt(10_000_000)).padStart(7, "0");
  const { phoneNumber, simulation } = toSimulation(scenario.steps, digits);
  const request = NewCall.parse({
    ...{ phoneNumber, agentId: run.agent_id, maxDurationSeconds: CALL_SECONDS_MAX },
    variables: scenario.variables,
    metadata: { scenario: scenario.name.slice(0, 500) },
    ...(simulation === undefined ? {} : { simulation }),
  });
  try {
    const call = await deps.placeCall(tx, actorOf(run), request, run.agent_version ?? 0);
    await noteCall(tx, row, call.id);
  } catch (error) {
    throw error instanceof AppError ? new CallRefused(row, error) : error;
  }
}

/** Null while the call goes on. */
async function judge(tx: Tx, run: RunRow, row: ResultRow, language: string): Promise<ScenarioResult | null> {
  const scenario: Scenario = row.scenario;
  const callId = row.call_id ?? "";
  const call = await findCall(tx, run.account_id, "test", callId);
  if (call?.state !== "ended") return null;
  const events = (await readCallEvents(tx, callId, 0, EVENTS_MAX)).map(toCallEvent);
  const items = await readTranscript(tx, callId);
  // Nobody has this number; on the list it would only be in the way of people who look for real ones.
  await unsuppressNumber(tx, run.account_id, call.phone_number);
  const outcome = outcomeOfCall({ endReason: call.end_reason, collected: call.collected, items, events }, scenario);
  return toResult(scenario, outcome, language, callId);
}

function actorOf({ account_id: accountId, placed_by: by }: RunRow): Actor {
  if (by?.keyId) {
    return { kind: "key", keyId: by.keyId, accountId, mode: "test", scopes: new Set(), dailySpendCapMicros: null };
  }
  const memberId = by?.memberId ?? "";
  return {
    kind: "member",
    memberId,
    accountId,
    role: "member",
    isOperator: false,
    lacksSecondFactor: false,
    email: null,
    signInId: "",
  };
}
