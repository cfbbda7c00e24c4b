import { randomInt } from "node:crypto";
import type { CallEvent } from "@parley/contract/call-events";
import type { AnsweringMachine, CalleeStep } from "@parley/contract/callee-steps";
import { type Call, type EndReason, NewCall } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import type { NewScenario, Scenario, ScenarioLine, ScenarioResult } from "@parley/contract/scenarios";
import type { Simulation } from "@parley/contract/simulation";
import type { TranscriptItem } from "@parley/contract/transcripts";
import type { CollectedValues } from "@parley/contract/try";
import { collectedBy } from "@parley/flow/names";
import { findCall } from "../../calls/call-store.ts";
import { readCallEvents } from "../../calls/event-store.ts";
import { toCallEvent } from "../../calls/follow-call.ts";
import { readTranscript } from "../../calls/transcripts/transcript-store.ts";
import { deleteSuppression } from "../../phone/gate/suppression-store.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/authenticate.ts";
import { readAgentVersion } from "../read-agent-version.ts";
import { type JudgedFlow, toBrokenResult, toResult } from "./judge-scenario.ts";
import { finishRun, lockRun, noteCall, noteResult, type ResultRow, type RunRow, readResults } from "./run-store.ts";
import type { ScenarioOutcome } from "./scenario-outcome.ts";

export interface AdvanceDeps {
  readonly db: Database;
  /** Accepts a test call to a version of an agent and counts it, all in the transaction. */
  placeCall(tx: Tx, actor: Actor, request: NewCall, agentVersion: number): Promise<Call>;
}

/** More concurrent conversations would slow a small machine down and fail correct scenarios. */
const CALLS_AT_ONCE = 2;
/** The maximum duration of a scenario. */
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
    const { language, flow } = await readAgentVersion(tx, run.agent_id, run.agent_version);
    const judged: JudgedFlow = {
      language,
      nodeIds: new Set(flow.nodes.map(({ id }) => id)),
      collects: collectedBy(flow.nodes),
    };
    let live = 0;
    let left = 0;
    for (const row of await readResults(tx, runId)) {
      if (row.result !== null) continue;
      if (row.call_id === null && live >= CALLS_AT_ONCE) {
        left += 1;
        continue;
      }
      const result = row.call_id === null ? null : await judge(tx, run, row, judged);
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
    phoneNumber,
    agentId: run.agent_id,
    maxDurationSeconds: CALL_SECONDS_MAX,
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

/** Null while the call continues. */
async function judge(tx: Tx, run: RunRow, row: ResultRow, judged: JudgedFlow): Promise<ScenarioResult | null> {
  const scenario: Scenario = row.scenario;
  const callId = row.call_id ?? "";
  const call = await findCall(tx, run.account_id, "test", callId);
  if (call?.state !== "ended") return null;
  const events = (await readCallEvents(tx, callId, 0, EVENTS_MAX)).map(toCallEvent);
  const items = await readTranscript(tx, callId);
  // A simulated number: on the suppression list it would only clutter the real ones.
  await deleteSuppression(tx, run.account_id, call.phone_number);
  const outcome = outcomeOfCall({ endReason: call.end_reason, collected: call.collected, items, events }, scenario);
  return toResult(scenario, outcome, judged, callId);
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

export interface FinishedCall {
  readonly endReason: EndReason | null;
  readonly collected: Readonly<Record<string, unknown>> | null;
  readonly items: readonly TranscriptItem[];
  readonly events: readonly Pick<CallEvent, "type" | "data">[];
}

/** The outcome of a call, read from its public record. Its turns correspond to the steps of the callee. */
export function outcomeOfCall(call: FinishedCall, { steps }: Pick<NewScenario, "steps">): ScenarioOutcome {
  const lines: ScenarioLine[] = [];
  const visits: { nodeId: string; step: number }[] = [];
  const toolCalls: { name: string; step: number }[] = [];
  let step = 0;
  let nodeId: string | null = null;
  for (const item of call.items) {
    if (item.type === "speech") {
      step = Math.max(step, item.turn);
      // What the callee did not hear was not said.
      const text = item.role === "agent" ? item.heardText : item.text;
      if (text !== "") lines.push({ role: item.role, text, step: item.turn, nodeId });
    } else if (item.type === "node") {
      nodeId = item.nodeId;
      visits.push({ nodeId, step });
    } else if (item.type === "tool_call") toolCalls.push({ name: item.name, step });
    else if (item.type === "dtmf") lines.push({ role: item.by, text: `[presses ${item.key}]`, step, nodeId });
  }
  const transfers = call.events.flatMap(({ type, data }) =>
    type === "call.transfer" && data["state"] === "completed" ? [{ to: null, step }] : [],
  );
  return {
    lines,
    visits,
    toolCalls,
    transfers,
    collected: plainValues(call.collected ?? {}),
    endReason: call.endReason,
    suppressedAtStep: call.events.some(({ type }) => type === "call.number_suppressed") ? step : null,
    // The step that a callee reached is not recorded; the end of the call shows whether it was cut short.
    stepsTaken: step,
    stepsTotal: Math.min(step, steps.length),
    faults: slowReplies(call.items),
  };
}

/** A callee who waits longer would speak or hang up, and the script would no longer fit. */
const SLOW_MS = 4_000;

/** A scenario that went wrong on a machine that is too busy says nothing about the flow. */
function slowReplies(items: readonly TranscriptItem[]): string[] {
  const slowestMs = Math.max(0, ...items.map((item) => (item.type === "speech" ? (item.timing?.totalMs ?? 0) : 0)));
  if (slowestMs < SLOW_MS) return [];
  return [`the agent took ${Math.round(slowestMs / 1000)} seconds to answer, because the machine is too busy`];
}

function plainValues(collected: Readonly<Record<string, unknown>>): CollectedValues {
  return Object.fromEntries(
    Object.entries(collected).map(([name, value]) => [
      name,
      typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null,
    ]),
  );
}

type ScriptStep = NonNullable<Simulation["script"]>[number];

/** The last four digits of a number decide who answers in the simulated network. */
const MACHINE_DIGITS: Readonly<Record<AnsweringMachine, string>> = {
  voicemail: "0007",
  ivr: "0008",
  screening: "0018",
  fax: "0019",
};
const PERSON_DIGITS = "0001";
/** Longer than the silence after which an agent asks whether the callee is there: its question has started by then. */
const SILENT_MS = 11_500;
/** An agent that is done hangs up sooner than this, and is not hung up on. */
const LINGER_MS = 10_000;

export interface SimulatedCallee {
  readonly phoneNumber: string;
  readonly simulation: Simulation | undefined;
}

/**
 * The simulated callee that does the steps of a scenario. Its number was never used before: what a call does to a number,
 * such as putting it on the suppression list, must not change the next run. `digits` gives seven of them.
 */
export function toSimulation(steps: readonly CalleeStep[], digits: string): SimulatedCallee {
  const [first] = steps;
  const machine = first !== undefined && "machine" in first ? first.machine : null;
  const phoneNumber = `+1555${digits}${machine === null ? PERSON_DIGITS : MACHINE_DIGITS[machine]}`;
  if (machine !== null) return { phoneNumber, simulation: undefined };
  // A person who answers the phone speaks first.
  const script: ScriptStep[] = [{ say: "Hello?" }, ...steps.flatMap(toScript)];
  const last = steps.at(-1);
  const waitsInVain = last !== undefined && "silent" in last;
  const hangsUp = last !== undefined && "hangUp" in last;
  if (!waitsInVain && !hangsUp) script.push({ waitForTurn: true }, { waitMs: LINGER_MS }, { hangUp: true });
  return { phoneNumber, simulation: { answerAfterMs: 500, script } };
}

function toScript(step: CalleeStep): ScriptStep[] {
  if ("machine" in step) return [];
  if ("silent" in step) return [{ waitForTurn: true }, { waitMs: SILENT_MS }];
  if ("press" in step) return [{ waitForTurn: true }, { press: step.press }];
  if ("hangUp" in step) return [{ waitForTurn: true }, { hangUp: true }];
  return "interruptAfterMs" in step ? [step] : [{ waitForTurn: true }, step];
}
