import type { AskNode } from "@parley/contract/flow-ask";
import { placeholderNames } from "@parley/flow/placeholders";
import { type CallContext, nodeOf } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import { answerOf } from "./answer.ts";

/** Nodes that are passed on the way from one question to another. */
const STEPS_MAX = 8;

/**
 * The names of the values that a "no" to a yes-or-no question takes back: those that the question reads back ("So that's
 * Friday at three, right?"), and the answer that led to it alone ("Do you really want to cancel?"), as far as the flow
 * asks for them again. What is not asked for again stays, because the flow goes on with it.
 */
export function refusedNames(context: CallContext, state: FlowState, ask: AskNode, nextId: string): string[] {
  const readBack = new Set(placeholderNames(ask.text));
  return askedAgain(context, ask, nextId).flatMap((earlier) => {
    const { saveAs } = earlier;
    if (saveAs === undefined || (state.collected[saveAs] ?? null) === null) return [];
    return readBack.has(saveAs) || ledAloneTo(context, state, earlier, ask) ? [saveAs] : [];
  });
}

/** The questions that are certainly asked from a node on, until the confirmation comes again. */
function askedAgain(context: CallContext, confirmation: AskNode, firstId: string): AskNode[] {
  const asks: AskNode[] = [];
  let id: string | undefined = firstId;
  for (let step = 0; id !== undefined && id !== confirmation.id && step < STEPS_MAX; step += 1) {
    const node = nodeOf(context, id);
    if (node.type === "ask") asks.push(node);
    const isPassed = node.type === "say" || node.type === "set" || (node.type === "ask" && node.exits.length === 0);
    id = isPassed ? node.next : undefined;
  }
  return asks;
}

/** Whether the saved answer to a question leads to the confirmation, and another one does not. */
function ledAloneTo(context: CallContext, state: FlowState, earlier: AskNode, confirmation: AskNode): boolean {
  const { exit } = answerOf(earlier, state.collected[earlier.saveAs ?? ""] ?? null);
  if (exit === null) return false;
  const leads = earlier.exits.map(({ next }) => nextQuestion(context, next) === confirmation.id);
  return leads[exit] === true && leads.includes(false);
}

function nextQuestion(context: CallContext, nextId: string | undefined): string | undefined {
  let id = nextId;
  for (let step = 0; id !== undefined && step < STEPS_MAX; step += 1) {
    const node = nodeOf(context, id);
    if (node.type !== "say" && node.type !== "set") return id;
    id = node.next;
  }
  return undefined;
}
