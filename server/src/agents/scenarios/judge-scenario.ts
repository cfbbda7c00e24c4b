import type {
  Scenario,
  ScenarioActual,
  ScenarioExpectation,
  ScenarioFailure,
  ScenarioResult,
} from "@parley/contract/scenarios";
import type { CollectedValue } from "@parley/contract/try";
import { isInnerName } from "@parley/flow/sub-flows/sub-flow";
import { toSpeech } from "@parley/voice/text/to-speech/to-speech";
import { NOTHING_HAPPENED, type ScenarioOutcome } from "./scenario-outcome.ts";

/** What is wrong, and where in the call it showed. */
interface Fault {
  readonly expected: string;
  readonly happened: string;
  readonly actual: ScenarioActual;
  readonly step: number;
}

/** What was run. */
export interface JudgedFlow {
  readonly language: string;
  /** The nodes of the flow, including those of its sub-flows. */
  readonly nodeIds: ReadonlySet<string>;
  /** What its calls can collect. */
  readonly collects: ReadonlySet<string>;
}

/** The first expectation that does not hold, with where it went wrong; null when all of them hold. */
export function judgeScenario(
  expect: readonly ScenarioExpectation[],
  outcome: ScenarioOutcome,
  flow: JudgedFlow,
): ScenarioFailure | null {
  for (const expectation of expect) {
    const fault = findFault(expectation, outcome, flow);
    if (fault !== null) return { expectation, ...describe(fault, outcome) };
  }
  return null;
}

/** What never happened is missed at the end of the call; what should not have happened is shown where it did. */
function findFault(expectation: ScenarioExpectation, outcome: ScenarioOutcome, flow: JudgedFlow): Fault | null {
  const { language } = flow;
  const missed = (expected: string, happened: string, actual: ScenarioActual = NOT_HAPPENED): Fault => ({
    expected,
    happened,
    actual,
    step: outcome.stepsTaken,
  });
  const done = (expected: string, happened: string, step: number): Fault => ({
    expected,
    happened,
    actual: { type: "happened" },
    step,
  });
  switch (expectation.type) {
    case "ended": {
      const reasons = [expectation.reason].flat();
      if (outcome.endReason !== null && reasons.includes(outcome.endReason)) return null;
      return missed(`the call to end as ${reasons.join(" or ")}`, howItEnded(outcome), endingOf(outcome));
    }
    case "not_ended":
      return outcome.endReason === null ? null : missed("the call to go on", howItEnded(outcome), endingOf(outcome));
    case "reached": {
      const { nodeId } = expectation;
      if (outcome.visits.some((visit) => isNode(visit.nodeId, nodeId, flow))) return null;
      return missed(`the call to reach the node ${nodeId}`, `it went ${pathOf(outcome)}`, {
        type: "path",
        nodeIds: outcome.visits.map((visit) => visit.nodeId),
      });
    }
    case "not_reached": {
      const { nodeId } = expectation;
      const visit = outcome.visits.find((each) => isNode(each.nodeId, nodeId, flow));
      return visit ? done(`the call never to reach ${nodeId}`, "it did", visit.step) : null;
    }
    case "collected": {
      const value = collectedValue(expectation.name, outcome, flow);
      const { equals } = expectation;
      const isMet = equals === undefined ? value !== null : isSame(value, equals);
      if (isMet) return null;
      const wanted = equals === undefined ? "some value" : JSON.stringify(equals);
      const collect = `${expectation.name} to be collected as ${wanted}`;
      if (!canCollect(expectation.name, flow)) return missed(collect, NEVER_SAVED, { type: "never_saved" });
      return missed(collect, `it is ${JSON.stringify(value)}`, { type: "collected", value });
    }
    case "not_collected": {
      const value = collectedValue(expectation.name, outcome, flow);
      if (value === null) return null;
      return missed(`${expectation.name} not to be collected`, `it is ${JSON.stringify(value)}`, {
        type: "collected",
        value,
      });
    }
    case "said": {
      if (findSaid(outcome, expectation.contains, language) !== undefined) return null;
      return missed(`the agent to say ${JSON.stringify(expectation.contains)}`, "it did not");
    }
    case "not_said": {
      const line = findSaid(outcome, expectation.contains, language);
      if (line === undefined) return null;
      return done(`the agent never to say ${JSON.stringify(expectation.contains)}`, "it did", line.step);
    }
    case "suppressed":
      if (outcome.suppressedAtStep !== null) return null;
      return missed("the number to be put on the suppression list", "it was not");
    case "not_suppressed": {
      const step = outcome.suppressedAtStep;
      return step === null ? null : done("the number not to be suppressed", "it was", step);
    }
    case "transferred": {
      const { to } = expectation;
      if (outcome.transfers.some((transfer) => to === undefined || (transfer.to ?? to) === to)) return null;
      const [other] = outcome.transfers;
      const expected = `the call to be handed on${to === undefined ? "" : ` to ${to}`}`;
      if (other === undefined) return missed(expected, "it was not");
      return missed(expected, `it was handed on to ${other.to ?? "another"}`, { type: "transferred", to: other.to });
    }
    case "not_transferred": {
      const [transfer] = outcome.transfers;
      if (transfer === undefined) return null;
      return {
        expected: "the call not to be handed on",
        happened: `it was${transfer.to === null ? "" : `, to ${transfer.to}`}`,
        actual: { type: "transferred", to: transfer.to },
        step: transfer.step,
      };
    }
    case "tool_called": {
      if (outcome.toolCalls.some(({ name }) => name === expectation.name)) return null;
      return missed(`the tool ${expectation.name} to be called`, "it was not");
    }
    case "tool_not_called": {
      const call = outcome.toolCalls.find(({ name }) => name === expectation.name);
      if (call === undefined) return null;
      return done(`the tool ${expectation.name} not to be called`, "it was", call.step);
    }
  }
}

/**
 * Whether a visited node is the expected one. A node that was cut out into a sub-flow is still found by its id, so that the
 * expectations of scenarios hold as before.
 */
function isNode(visited: string, wanted: string, { nodeIds }: JudgedFlow): boolean {
  return visited === wanted || (!nodeIds.has(wanted) && isInnerName(visited, wanted));
}

const NOT_HAPPENED: ScenarioActual = { type: "did_not_happen" };
const NEVER_SAVED = "nothing in the flow saves it";

function canCollect(name: string, { collects }: JudgedFlow): boolean {
  return collects.has(name) || [...collects].some((each) => isInnerName(each, name));
}

/** What was collected under a name, also by a part of the flow that was since cut out into a sub-flow. */
function collectedValue(name: string, { collected }: ScenarioOutcome, { collects }: JudgedFlow): CollectedValue {
  if (collects.has(name) || Object.hasOwn(collected, name)) return collected[name] ?? null;
  const inside = Object.entries(collected).filter(([each]) => isInnerName(each, name));
  return inside.find(([, value]) => value !== null)?.[1] ?? null;
}

function describe(
  { expected, happened, actual, step }: Fault,
  outcome: ScenarioOutcome,
): Omit<ScenarioFailure, "expectation"> {
  const untilThen = <Item extends { readonly step: number }>(items: readonly Item[]) =>
    items.findLast((item) => item.step <= step);
  const line = untilThen(outcome.lines.filter(({ role }) => role === "agent"));
  const nodeId = line?.nodeId ?? untilThen(outcome.visits)?.nodeId ?? null;
  const callee = outcome.lines.find((each) => each.role === "callee" && each.step === step);
  const when = step === 0 ? "when the agent opened" : `after step ${step}${callee ? ` (${callee.text})` : ""}`;
  const where = nodeId === null ? "" : ` at the node ${nodeId}`;
  const said = line === undefined ? "" : `, and the agent said: ${JSON.stringify(line.text)}`;
  const left = outcome.stepsTotal - outcome.stepsTaken;
  const early = left > 0 ? ` The call was over with ${left} of ${outcome.stepsTotal} steps left.` : "";
  const faults = outcome.faults.length === 0 ? "" : ` Something failed: ${outcome.faults.join("; ")}.`;
  const message = `Expected ${expected}, but ${happened}. That was ${when}${where}${said}.${early}${faults}`;
  return {
    message,
    step,
    nodeId,
    said: line?.text ?? null,
    actual,
    stepsLeft: left,
    stepsTotal: outcome.stepsTotal,
    faults: [...outcome.faults],
  };
}

function howItEnded({ endReason }: ScenarioOutcome): string {
  return endReason === null ? "it went on" : `it ended as ${endReason}`;
}

function endingOf({ endReason }: ScenarioOutcome): ScenarioActual {
  return endReason === null ? { type: "went_on" } : { type: "ended", reason: endReason };
}

function pathOf({ visits }: ScenarioOutcome): string {
  return visits.length === 0 ? "nowhere" : visits.map(({ nodeId }) => nodeId).join(", ");
}

/** A text that is collected and one that is expected differ in nothing that is heard. */
function isSame(value: unknown, expected: unknown): boolean {
  if (typeof value === "string" && typeof expected === "string") return heardWords(value) === heardWords(expected);
  return value === expected;
}

function findSaid({ lines }: ScenarioOutcome, words: string, language: string) {
  const wanted = [words, toSpeech(words, language)].map(heardWords).filter((text) => text !== "");
  return lines.find(
    ({ role, text }) => role === "agent" && wanted.some((each) => ` ${heardWords(text)} `.includes(` ${each} `)),
  );
}

/** Only letters and digits, in their order. */
function heardWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ");
}

type ResultOf = Pick<Scenario, "id" | "name" | "expect">;

/** Evaluates the outcome of a scenario. */
export function toResult(
  scenario: ResultOf,
  outcome: ScenarioOutcome,
  flow: JudgedFlow,
  callId: string | null = null,
): ScenarioResult {
  const failure = judgeScenario(scenario.expect, outcome, flow);
  return write(scenario, outcome, failure === null ? "passed" : "failed", failure, callId);
}

/** A scenario that could not be completed, with a human-readable reason. */
export function toBrokenResult(scenario: ResultOf, reason: string, callId: string | null = null): ScenarioResult {
  const failure = { expectation: null, message: reason, step: null, nodeId: null, said: null, actual: null };
  return write(scenario, NOTHING_HAPPENED, "failed", failure, callId);
}

export function toRunningResult(scenario: ResultOf, callId: string | null): ScenarioResult {
  return write(scenario, NOTHING_HAPPENED, "running", null, callId);
}

function write(
  { id: scenarioId, name }: ResultOf,
  { lines, visits, collected, endReason }: ScenarioOutcome,
  status: ScenarioResult["status"],
  failure: ScenarioFailure | null,
  callId: string | null,
): ScenarioResult {
  const path = visits.map(({ nodeId }) => nodeId);
  return { scenarioId, name, status, failure, callId, lines: [...lines], path, collected, endReason };
}
