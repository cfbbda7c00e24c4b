import { askAgain, askOf, newQuestion } from "./ask-question.ts";
import { type CallContext, offersCallback, phrase, say } from "./call-context.ts";
import { type Asking, changeSubject, type FlowState } from "./flow-state.ts";
import { after, type Outcome } from "./outcome.ts";
import { jumpForRequest } from "./small-talk.ts";
import { findCallback } from "./understanding/find-callback.ts";
import { collect, enterNode } from "./walk-flow.ts";

/** Where a flow does not ask again, other answers are expected and no reason to offer help. */
const FAILURES_MIN = 2;

/**
 * The question stays without an answer. The call continues at `otherwise`; if it would end there, the callee is first
 * connected to a person or offered a callback, if the settings of the flow say so.
 */
export function leaveQuestion(context: CallContext, from: FlowState, at: Asking, failures: number): Outcome {
  const state = changeSubject(from);
  const onward = enterNode(context, state, otherwiseOf(context, at), "otherwise");
  if (failures < FAILURES_MIN || onward.state.at.name !== "ended") return onward;
  return offerHelp(context, state, [phrase(context, "offer_reason")]) ?? onward;
}

/** A person or a callback for a callee who cannot be understood. Null if the settings of the flow have neither. */
export function offerHelp(context: CallContext, state: FlowState, reason: readonly string[] = []): Outcome | null {
  const person = context.plan.settings.connectAfterFailures === true ? connectWithPerson(context, state) : null;
  if (person !== null) return person;
  if (state.at.name !== "asking" || !offersCallback(context)) return null;
  const offering: Asking = { ...newQuestion(state.at.nodeId), doubt: { type: "offering" } };
  return askAgain(context, state, offering, reason);
}

function otherwiseOf(context: CallContext, at: Asking): string {
  const ask = askOf(context, at);
  return ask.otherwise ?? ask.id;
}

/** The node for callees who ask for a person, or the only transfer of the flow. Null if it would dial no number. */
export function connectWithPerson(context: CallContext, state: FlowState): Outcome | null {
  const transfers = [...context.plan.nodes.values()].filter(({ type }) => type === "transfer");
  const only = transfers.length === 1 ? transfers[0]?.id : undefined;
  const nodeId = jumpForRequest(context, "human") ?? only;
  const outcome = nodeId === undefined ? null : enterNode(context, state, nodeId);
  return outcome?.waitsFor.type === "dial" ? outcome : null;
}

/** The callee wants to be called back: the time that was named is kept, and the call continues at `otherwise`. */
export function acceptOffer(context: CallContext, state: FlowState, at: Asking, said: string): Outcome {
  const kept = collect(state, { callback: findCallback(said, context.reading) });
  const noted = say(phrase(context, "callback_noted"), false);
  return after([...kept.parts, ...noted], declineOffer(context, kept.state, at));
}

export function declineOffer(context: CallContext, state: FlowState, at: Asking): Outcome {
  return enterNode(context, changeSubject(state), otherwiseOf(context, at), "otherwise");
}
