import type { FlowNode } from "@parley/contract/flow";
import { ANSWER_RULES } from "@parley/flow/checks/exits";

/**
 * After another kind of answer was chosen: only the exits that such an answer can take, and for a yes or no both. What
 * was chosen before is one step back.
 */
export function fitAnswers(before: FlowNode, after: FlowNode): FlowNode {
  if (before.type !== "ask" || after.type !== "ask" || before.answer === after.answer) return after;
  const rule = ANSWER_RULES[after.answer];
  const fitting = after.exits.filter(({ when }) => rule.canonical(when) !== null);
  if (after.answer === "yes_no" && fitting.length === 0) {
    return { ...after, exits: [{ when: "yes" }, { when: "no" }] };
  }
  return fitting.length === after.exits.length ? after : { ...after, exits: fitting };
}
