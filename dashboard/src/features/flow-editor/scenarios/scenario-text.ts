import type { CalleeStep } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import type { ScenarioActual, ScenarioExpectation, ScenarioFailure } from "@parley/contract/scenarios";
import { isInnerName } from "@parley/flow/sub-flows/sub-flow";
import { apiText } from "../../../api/text.ts";
import { END_REASON_LABELS } from "../../calls/call-labels.ts";
import { titleOfId } from "../sub-flows/outer-node.ts";
import { scenariosText } from "./text.tsx";

/** What must hold, in a sentence. `expanded` is the flow with its sub-flows written into it. */
export function expectationWords(one: ScenarioExpectation, expanded: Pick<Flow, "nodes">): string {
  switch (one.type) {
    case "ended": {
      const reasons = Array.isArray(one.reason) ? one.reason : [one.reason];
      return scenariosText.ended(reasons.map((reason) => END_REASON_LABELS[reason]));
    }
    case "not_ended":
      return scenariosText.expectNotEnded;
    case "reached":
      return scenariosText.reached(titleOfExpected(expanded, one.nodeId));
    case "not_reached":
      return scenariosText.notReached(titleOfExpected(expanded, one.nodeId));
    case "collected":
      return scenariosText.collected(one.name, one.equals);
    case "not_collected":
      return scenariosText.notCollected(one.name);
    case "said":
      return scenariosText.said(one.contains);
    case "not_said":
      return scenariosText.notSaid(one.contains);
    case "suppressed":
      return scenariosText.suppressed;
    case "not_suppressed":
      return scenariosText.notSuppressed;
    case "transferred":
      return one.to ? scenariosText.transferredTo(one.to) : scenariosText.transferred;
    case "not_transferred":
      return scenariosText.expectNotTransferred;
    case "tool_called":
      return scenariosText.toolCalled(one.name);
    case "tool_not_called":
      return scenariosText.toolNotCalled(one.name);
  }
}

/** A node that was cut out into a sub-flow is still found by its id. */
function titleOfExpected(expanded: Pick<Flow, "nodes">, nodeId: string): string {
  const isThere = expanded.nodes.some(({ id }) => id === nodeId);
  const inside = isThere ? undefined : expanded.nodes.find(({ id }) => isInnerName(id, nodeId));
  return titleOfId(expanded, inside?.id ?? nodeId);
}

/** What was expected, and what happened instead. The sentence of the API is in English, with the ids of nodes. */
export function failureWords(failure: ScenarioFailure, expanded: Pick<Flow, "nodes">): string {
  const { message, expectation, actual, stepsLeft = 0, stepsTotal = 0, faults = [] } = failure;
  if (expectation === null) return apiText.wordSentence(message);
  return [
    scenariosText.notMet(expectationWords(expectation, expanded)),
    actual ? whatHappened(actual, expanded) : "",
    stepsLeft === 0 ? "" : scenariosText.stepsLeft(stepsLeft, stepsTotal),
    faults.length === 0 ? "" : scenariosText.somethingFailed(faults.map(apiText.wordSentence).join("; ")),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** What happened instead, as far as it says more than the expectation. */
function whatHappened(actual: ScenarioActual, expanded: Pick<Flow, "nodes">): string {
  switch (actual.type) {
    case "ended":
      return scenariosText.endedAs(END_REASON_LABELS[actual.reason]);
    case "went_on":
      return scenariosText.wentOn;
    case "path":
      if (actual.nodeIds.length === 0) return scenariosText.wentNowhere;
      return scenariosText.wentThrough(actual.nodeIds.map((id) => titleOfId(expanded, id)));
    case "collected":
      if (actual.value === null) return scenariosText.nothingCollected;
      return scenariosText.valueCollected(JSON.stringify(actual.value));
    case "never_saved":
      return scenariosText.neverSaved;
    case "transferred":
      return actual.to === null ? "" : scenariosText.wasTransferredTo(actual.to);
    case "happened":
    case "did_not_happen":
      return "";
  }
}

/** A short description of what the callee does. */
export function stepWords(step: CalleeStep): string {
  if ("interruptAfterMs" in step) return scenariosText.interrupts(step.say);
  if ("say" in step) return scenariosText.says(step.say);
  if ("press" in step) return scenariosText.presses(step.press);
  if ("silent" in step) return scenariosText.silent;
  if ("machine" in step) return scenariosText.machineAnswers(step.machine);
  return scenariosText.hangsUp;
}
