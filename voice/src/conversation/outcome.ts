import type { JudgedAnswer } from "../ports/answer-judge.ts";
import type { Decision, ReplyPart } from "../ports/brain.ts";
import type { IntentCandidate } from "../ports/intent-ranker.ts";
import type { FlowState } from "./flow-state.ts";
import type { PreparedRequest } from "./tools/prepare-request.ts";
import type { AnswerReading } from "./understanding/answer.ts";

/** What follows from an event: the new state of the conversation, what is said and done, and what comes next. */
export interface Outcome {
  readonly state: FlowState;
  readonly parts: readonly ReplyPart[];
  readonly waitsFor: WaitsFor;
}

/** What the flow waits for. All but the first two are answered by `resumeFlow`. */
export type WaitsFor =
  | { readonly type: "listen" }
  | { readonly type: "over" }
  | { readonly type: "request"; readonly nodeId: string; readonly callId: string; readonly request: PreparedRequest }
  | { readonly type: "converse"; readonly nodeId: string }
  | { readonly type: "judge"; readonly nodeId: string }
  | { readonly type: "dial"; readonly nodeId: string; readonly to: string }
  /** Second opinions on an answer. */
  | {
      readonly type: "opinions";
      readonly text: string;
      /** The reading of the rules. */
      readonly reading: AnswerReading;
      /** Null if there is nothing to choose between. */
      readonly judged: JudgedAnswer | null;
      /** What it may resemble, in case nothing else is known about it. */
      readonly candidates: readonly IntentCandidate[];
    };

export const LISTEN: WaitsFor = { type: "listen" };
export const OVER: WaitsFor = { type: "over" };

/** Says something before an outcome. */
export function after(parts: readonly ReplyPart[], outcome: Outcome): Outcome {
  return { ...outcome, parts: [...parts, ...outcome.parts] };
}

/** Records in the journal how the callee's turn was interpreted, before what follows from it. */
export function decided(decision: Decision, outcome: Outcome): Outcome {
  return after([{ type: "decided", decision }], outcome);
}
