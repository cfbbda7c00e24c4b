import type { CalleeRequest, JudgedAnswer, JudgedUtterance } from "../ports/answer-judge.ts";
import type { CalleeTurn, Decision, ReplyPart } from "../ports/brain.ts";
import type { IntentCandidate } from "../ports/intent-ranker.ts";
import type { FlowState } from "./flow-state.ts";
import type { PreparedRequest } from "./tools/prepare-request.ts";
import type { AnswerReading, Finding } from "./understanding/answer.ts";
import type { JudgedSlot } from "./understanding/judge-slots.ts";
import type { NamedValue } from "./understanding/judge-value.ts";
import type { LaterSlot } from "./understanding/later-slots.ts";
import type { WeighedRequest } from "./understanding/weigh-requests.ts";

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
  /** A second opinion on a request that the rules found. */
  | {
      readonly type: "request_opinion";
      readonly said: Extract<CalleeTurn, { type: "said" }>;
      readonly utterance: JudgedUtterance;
      /** The same words as an answer, where one would be lost if the request were followed. */
      readonly judged: JudgedAnswer | null;
      readonly found: CalleeRequest;
    }
  /** Second opinions on an answer. */
  | {
      readonly type: "opinions";
      readonly text: string;
      /** The reading of the rules. */
      readonly reading: AnswerReading;
      /** Null if there is nothing to choose between. */
      readonly judged: JudgedAnswer | null;
      /** What the judged answers stand for, where they are values that were named; otherwise they are the question's exits. */
      readonly named: readonly NamedValue[] | null;
      /** Later questions that it may answer too, for a language model to find. */
      readonly slots: readonly LaterSlot[];
      /** The same for the local judge, where no language model is asked. */
      readonly judgedSlots: readonly JudgedSlot[];
      /** What it may resemble, in case nothing else is known about it. */
      readonly candidates: readonly IntentCandidate[];
      /** What may be a request instead, in words that the rules do not know. Null if that is known. */
      readonly utterance: JudgedUtterance | null;
      /** What the callee wants if it is no answer, as far as known. */
      readonly request: WeighedRequest;
    };

export const LISTEN: WaitsFor = { type: "listen" };
export const OVER: WaitsFor = { type: "over" };

/** Says something before an outcome. */
export function after(parts: readonly ReplyPart[], outcome: Outcome): Outcome {
  return { ...outcome, parts: [...parts, ...outcome.parts] };
}

/** Adds to the recorded explanation of a decision what other judges said before it. */
export function explained(why: readonly Finding[], outcome: Outcome): Outcome {
  if (why.length === 0) return outcome;
  const at = outcome.parts.findIndex(({ type }) => type === "decided");
  const parts = outcome.parts.map((part, index) =>
    part.type === "decided" && index === at
      ? { ...part, decision: { ...part.decision, why: [...why, ...(part.decision.why ?? [])] } }
      : part,
  );
  return { ...outcome, parts };
}

/** Records in the journal how the callee's turn was interpreted, before what follows from it. */
export function decided(decision: Decision, outcome: Outcome): Outcome {
  return after([{ type: "decided", decision }], outcome);
}
