import { randomBytes } from "node:crypto";
import type { CalleeStep } from "@parley/contract/callee-steps";
import { AppError } from "@parley/contract/errors";
import {
  type NewScenario,
  type RunScenarios,
  SCENARIOS_PER_AGENT_MAX,
  type Scenario,
  type ScenarioLine,
  type ScenarioResult,
} from "@parley/contract/scenarios";
import type { CompiledFlow } from "@parley/flow/compile";
import { collectedBy } from "@parley/flow/names";
import {
  type TextCallEvent,
  type TextCallOptions,
  takeTextTurn,
} from "@parley/voice/conversation/text-call/take-text-turn";
import type { TextCallState } from "@parley/voice/conversation/text-call/text-call-state";
import type { McpFunction } from "@parley/voice/ports/tool-caller";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { RunPlacer } from "../../platform/database/schema/schema.ts";
import { compileOrRefuse, pinDraft } from "../drafts.ts";
import type { FoundFlow } from "../find-tried-flow.ts";
import { mcpFunctionsForFlow } from "../mcp/functions-for-flow.ts";
import { withGivenReplies } from "../trials/text/given-tools.ts";
import { type TextBrains, textCallSetup } from "../trials/text/text-brains.ts";
import { toBrokenResult, toResult } from "./judge-scenario.ts";
import { insertRun, type RunRow } from "./run-store.ts";
import type { ScenarioOutcome } from "./scenario-outcome.ts";
import { listScenarioRows, toScenario } from "./scenario-store.ts";

export interface BeginRunDeps {
  readonly db: Database;
  readonly brains: TextBrains;
  /** Throws when the engine cannot conduct calls to the agent here. */
  refuseUnavailable(found: FoundFlow): void;
  readonly nowMs: () => number;
}

export interface RunOwner extends RunPlacer {
  readonly accountId: string;
}

/** Begins a run. One on text is over when this returns; one on audio has its calls placed by `advanceRun`. */
export async function beginRun(
  deps: BeginRunDeps,
  { accountId, ...placedBy }: RunOwner,
  found: FoundFlow,
  input: RunScenarios,
): Promise<RunRow> {
  const { plan } = compileOrRefuse(found.flow, deps.brains.modelNames, "The scenarios cannot be run.");
  const scenarios = await chooseScenarios(deps.db, found.agentId, input.ids);
  const base = { accountId, agentId: found.agentId, placedBy };
  if (input.on === "text") {
    const mcpFunctions = await mcpFunctionsForFlow(deps.db, accountId, found.flow);
    const results = await runTexts(deps.brains, plan, found.language, scenarios, deps.nowMs, mcpFunctions);
    const pairs = scenarios.map((scenario, index) => ({ scenario, result: results[index] ?? null }));
    const run = { ...base, medium: "text", agentVersion: found.version, results: pairs } as const;
    return inTransaction(deps.db, (tx) => insertRun(tx, run));
  }
  deps.refuseUnavailable(found);
  return inTransaction(deps.db, async (tx) => {
    const agentVersion = found.version ?? (await pinDraft(tx, accountId, found.agentId, found.flow)).version;
    const results = scenarios.map((scenario) => ({ scenario, result: null }));
    return insertRun(tx, { ...base, medium: "audio", agentVersion, results });
  });
}

async function chooseScenarios(db: Database, agentId: string, ids: readonly string[] | undefined): Promise<Scenario[]> {
  const all = (await listScenarioRows(db, agentId, null, SCENARIOS_PER_AGENT_MAX)).map(toScenario);
  const missing = ids?.find((id) => !all.some((scenario) => scenario.id === id));
  if (missing !== undefined) throw new AppError("not_found", `The agent has no scenario ${missing}.`, { param: "ids" });
  const chosen = ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) throw new AppError("invalid_state", "The agent has no scenarios yet.");
  return chosen;
}

/** All scenarios of a request together: a client that waits for longer has given up. */
const RUN_MAX_MS = 55_000;

/** Runs scenarios by text, one after the other. None of them can keep the others from being judged. */
export async function runTexts(
  brains: TextBrains,
  plan: CompiledFlow,
  language: string,
  scenarios: readonly Scenario[],
  nowMs: () => number,
  mcpFunctions: readonly McpFunction[] = [],
): Promise<ScenarioResult[]> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error("there was no time left for it")), RUN_MAX_MS);
  const results: ScenarioResult[] = [];
  try {
    for (const scenario of scenarios) results.push(await runOne(scenario));
    return results;
  } finally {
    clearTimeout(timer);
    over.abort(new Error("the run is over"));
  }

  async function runOne(scenario: Scenario): Promise<ScenarioResult> {
    const callId = `try_${randomBytes(12).toString("hex")}`;
    const { variables, toolReplies } = scenario;
    const facts = { callId, language, variables, startedAtMs: nowMs() };
    try {
      over.signal.throwIfAborted();
      const setup = await textCallSetup(
        brains,
        plan,
        facts,
        withGivenReplies(toolReplies, null),
        over.signal,
        mcpFunctions,
      );
      return toResult(scenario, await runOnText(setup, scenario), {
        language,
        nodeIds: new Set(plan.nodes.keys()),
        collects: collectedBy(plan.nodes.values()),
      });
    } catch (error) {
      return toBrokenResult(scenario, `It could not be run to its end: ${wordsOf(error)}.`);
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

/** Holds the call of a scenario by text, with the brain of a real call. Every step is taken until the call is over. */
async function runOnText(setup: TextCallOptions, { steps }: Pick<NewScenario, "steps">): Promise<ScenarioOutcome> {
  const lines: ScenarioLine[] = [];
  const events: { readonly event: TextCallEvent; readonly step: number }[] = [];
  const [first] = steps;
  const isAnsweredByMachine = first !== undefined && "machine" in first;
  let stepsTaken = isAnsweredByMachine ? 1 : 0;
  let state: TextCallState | null = null;

  const take = async (index: number | null) => {
    const step = index === null ? null : (steps[index] ?? null);
    if (step !== null)
      lines.push({ role: "callee", text: describeStep(step), step: stepsTaken, nodeId: state?.nodeId ?? null });
    const turn = await takeTextTurn(setup, state, step);
    state = turn.state;
    for (const event of turn.events) {
      events.push({ event, step: stepsTaken });
      if (event.type === "said")
        lines.push({ role: "agent", text: event.text, step: stepsTaken, nodeId: event.nodeId });
    }
    return turn.state;
  };

  let now = await take(isAnsweredByMachine ? 0 : null);
  while (now.ended === null && stepsTaken < steps.length) {
    stepsTaken += 1;
    now = await take(stepsTaken - 1);
  }
  return {
    lines,
    ...readEvents(events),
    collected: { ...now.flow.state.collected },
    endReason: now.ended?.reason ?? null,
    stepsTaken,
    stepsTotal: steps.length,
  };
}

function readEvents(events: readonly { readonly event: TextCallEvent; readonly step: number }[]) {
  return {
    visits: events.flatMap(({ event, step }) => (event.type === "entered" ? [{ nodeId: event.nodeId, step }] : [])),
    suppressedAtStep: events.find(({ event }) => event.type === "suppress")?.step ?? null,
    transfers: events.flatMap(({ event, step }) => (event.type === "transfer" ? [{ to: event.to, step }] : [])),
    toolCalls: events.flatMap(({ event, step }) => (event.type === "tool_call" ? [{ name: event.name, step }] : [])),
    faults: events.flatMap(({ event }) => (event.type === "fault" ? [event.text] : [])),
  };
}

/** What a callee does, as a line of the conversation. */
function describeStep(step: CalleeStep): string {
  if ("say" in step) return step.say;
  if ("press" in step) return `[presses ${step.press}]`;
  if ("silent" in step) return "[says nothing]";
  if ("machine" in step) return `[${step.machine} answers]`;
  return "[hangs up]";
}
