import type { ReplyPart } from "../ports/brain.ts";
import { type CallScope, phrase, say } from "./call-scope.ts";
import type { FlowState } from "./flow-state.ts";
import { type Outcome, OVER } from "./outcome.ts";

/** Says goodbye without further ado. */
export function leaveCall(scope: CallScope, state: FlowState): Outcome {
  const parts: ReplyPart[] = [...say(phrase(scope, "farewell"), false), { type: "end", reason: "finished" }];
  return { state: { ...state, at: { name: "ended" } }, parts, waitsFor: OVER };
}
