import type { FlowNode } from "@parley/contract/flow";
import type { CompiledFlow } from "@parley/flow/compile";
import type { FlowState, Place } from "../flow-state.ts";
import type { TextCallState } from "./text-call-state.ts";

/** What kind of node a conversation can be at. */
const NODE_TYPES: Readonly<Partial<Record<Place["name"], FlowNode["type"]>>> = {
  asking: "ask",
  conversing: "conversation",
  requesting: "tool",
  judging: "branch",
  dialing: "transfer",
  transferring: "transfer",
};

/**
 * The same call in a flow that may have been changed since, so that somebody who mends an agent goes on where he was. Null
 * when what the conversation is at is no longer there.
 */
export function refitTextCall(plan: CompiledFlow, state: TextCallState): TextCallState | null {
  if (!isThere(plan, state.flow.state.at)) return null;
  return { ...state, flow: { ...state.flow, state: withoutLost(plan, state.flow.state) } };
}

/** An answer to a question that is gone can no longer be corrected. */
function withoutLost(plan: CompiledFlow, state: FlowState): FlowState {
  const { answered } = state;
  return answered === null || isThere(plan, answered.before.at) ? state : { ...state, answered: null };
}

function isThere(plan: CompiledFlow, at: Place): boolean {
  return !("nodeId" in at) || plan.nodes.get(at.nodeId)?.type === NODE_TYPES[at.name];
}
