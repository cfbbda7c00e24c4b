import type { CalleeStep } from "@parley/contract/callee-steps";
import type { ScenarioExpectation } from "@parley/contract/scenarios";
import { END_REASON_LABELS } from "../../calls/call-labels.ts";

/** What must hold, in a sentence. */
export function expectationWords(one: ScenarioExpectation): string {
  switch (one.type) {
    case "ended": {
      const reasons = Array.isArray(one.reason) ? one.reason : [one.reason];
      return `Ends so: ${reasons.map((reason) => END_REASON_LABELS[reason].toLowerCase()).join(", or ")}`;
    }
    case "not_ended":
      return "The call goes on";
    case "reached":
      return `Comes to ${one.nodeId}`;
    case "not_reached":
      return `Never comes to ${one.nodeId}`;
    case "collected":
      return one.equals === undefined ? `Collects ${one.name}` : `Collects ${one.name} = ${String(one.equals)}`;
    case "not_collected":
      return `Does not collect ${one.name}`;
    case "said":
      return `The agent says “${one.contains}”`;
    case "not_said":
      return `The agent never says “${one.contains}”`;
    case "suppressed":
      return "The number is put on the suppression list";
    case "not_suppressed":
      return "The number stays off the suppression list";
    case "transferred":
      return one.to ? `Is transferred to ${one.to}` : "Is transferred";
    case "not_transferred":
      return "Is not passed on";
    case "tool_called":
      return `Asks ${one.name}`;
    case "tool_not_called":
      return `Never asks ${one.name}`;
  }
}

/** A short description of what the callee does. */
export function stepWords(step: CalleeStep): string {
  if ("interruptAfterMs" in step) return `interrupts: “${step.say}”`;
  if ("say" in step) return `“${step.say}”`;
  if ("press" in step) return `presses ${step.press}`;
  if ("silent" in step) return "says nothing";
  if ("machine" in step) return `${step.machine} answers`;
  return "hangs up";
}
