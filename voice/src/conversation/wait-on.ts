import { type CallScope, nodeOf } from "./call-scope.ts";
import type { FlowState } from "./flow-state.ts";
import { LISTEN, type Outcome } from "./outcome.ts";
import { enterNode } from "./walk-flow.ts";

/**
 * The flow waits for a tool, a judgement or leave to dial, and was interrupted meanwhile: it goes on waiting. Entering the
 * node again asks for the same thing under the same id, so nothing is done twice.
 */
export function waitOn(scope: CallScope, state: FlowState): Outcome {
  const { at } = state;
  switch (at.name) {
    case "requesting": {
      const again = enterNode(scope, { ...state, requests: state.requests - 1 }, at.nodeId);
      return { ...again, parts: [] };
    }
    case "judging":
    case "dialing": {
      const again = enterNode(scope, state, at.nodeId);
      return { ...again, parts: [] };
    }
    // Whoever is being connected is not listened to, so this was cut off before it began.
    case "transferring": {
      const node = nodeOf(scope, at.nodeId);
      if (node.type !== "transfer") return { state, parts: [], waitsFor: LISTEN };
      const again = enterNode(scope, state, at.nodeId);
      return { ...again, parts: [] };
    }
    default:
      return { state, parts: [], waitsFor: LISTEN };
  }
}
