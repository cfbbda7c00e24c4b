import type { CalleeStep } from "@parley/contract/callee-steps";
import type { ScenarioExpectation, ScenarioFailure } from "@parley/contract/scenarios";
import { END_REASON_LABELS } from "../../calls/call-labels.ts";
import { scenariosText } from "./text.tsx";

/** What must hold, in a sentence. */
export function expectationWords(one: ScenarioExpectation): string {
  switch (one.type) {
    case "ended": {
      const reasons = Array.isArray(one.reason) ? one.reason : [one.reason];
      return scenariosText.ended(reasons.map((reason) => END_REASON_LABELS[reason]));
    }
    case "not_ended":
      return scenariosText.expectNotEnded;
    case "reached":
      return scenariosText.reached(one.nodeId);
    case "not_reached":
      return scenariosText.notReached(one.nodeId);
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

/** What was expected and did not happen. */
export function failureWords({ message, expectation }: ScenarioFailure): string {
  return scenariosText.whatFailed(message, expectation && expectationWords(expectation));
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
