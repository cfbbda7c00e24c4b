/**
 * What decides what the agent says and does: a flow, a language model, or both. It knows no sound and no clock. Its
 * state is a value, so that a turn can be taken back when the callee goes on speaking after all.
 */
export interface Brain {
  /** What the callee may say now, for recognition and for judging when a turn is over. */
  readonly expectation: Expectation;
  /** The first clauses of what may be said next, so that they can be rendered before anybody needs them. */
  likelyClauses(): readonly string[];
  /** What to say when the call begins. Called when the callee has answered, and never before. */
  open(turnId: number, signal: AbortSignal): AsyncIterable<ReplyPart>;
  /** What follows from the callee's turn. One reply at a time; a new one begins after the last was ended or aborted. */
  reply(turnId: number, turn: CalleeTurn, signal: AbortSignal): AsyncIterable<ReplyPart>;
  /**
   * The reply is over: everything was heard, or it was cut off after these words. Called exactly once for each reply,
   * also for one of which nothing was heard. Results of tools that came after a cut are kept.
   */
  noteHeard(turnId: number, heard: { readonly text: string; readonly wasCut: boolean }): void;
  /**
   * A person is on the line. Until then the brain says and asks what it likes, and sends no request, presses no key
   * and transfers no call: what needs to do so waits.
   */
  permitEffects(): void;
  /**
   * A machine spoke where a person was expected: goes back to before the first turn that it was taken to have. Returns
   * the collected values that stand, which did not come from it. What tools did stays done.
   */
  disregardCallee(): Readonly<Record<string, string | number | boolean | null>>;
  /** Goes back to before this turn: what the callee said was not all. Collected values are as they were then. */
  undo(turnId: number): void;
}

export type CalleeTurn =
  | {
      readonly type: "said";
      readonly text: string;
      /** The expected answer that recognition took it for. */
      readonly best: { readonly answer: string; readonly score: number; readonly margin: number } | null;
    }
  | { readonly type: "pressed"; readonly keys: string }
  /** The callee was silent for as long as the agent waits; `count` says how often in a row. */
  | { readonly type: "silent"; readonly count: number }
  /** Something was said and could not be recognized. */
  | { readonly type: "unclear" }
  | { readonly type: "transfer_failed"; readonly reason: string }
  /** A machine answered: its kind, and whether it is ready to record. */
  | { readonly type: "machine"; readonly kind: "voicemail" | "ivr" | "screening" | "fax" };

/** What the brain made of the callee's turn, and what it went by. */
export interface Decision {
  /** The node that was open. */
  readonly nodeId: string;
  /**
   * - answer: it was taken for an answer.
   * - ask_back: it may have been one, and the callee is asked.
   * - jump: another part of the flow is for it.
   * - request: the callee wanted something that every agent knows, such as to hear the question again.
   * - not_understood: nothing fitted.
   */
  readonly taken: "answer" | "ask_back" | "jump" | "request" | "not_understood";
  /** The value, the request or the node it was taken for; null when nothing fitted. */
  readonly result: string | number | boolean | null;
  /**
   * - words: the recognized text.
   * - expected_answer: the expected answer that the audio fitted best.
   * - similarity: the expected meaning that was nearest to the text.
   * - keys: keys of the telephone.
   * - judge: the local judge of answers.
   * - model: a language model.
   */
  readonly evidence: "words" | "expected_answer" | "similarity" | "keys" | "judge" | "model" | null;
  /** How sure that evidence was, from 0 to 1, where it says so. */
  readonly score: number | null;
  /** What the judges of the answer had to say, in their order. Left out where nothing speaks for or against it. */
  readonly why?: readonly { readonly judge: string; readonly says: string }[];
}

export type ReplyPart =
  /** One clause to speak. Clauses come in order and are spoken in order. */
  | { readonly type: "say"; readonly text: string; readonly mayBeInterrupted: boolean }
  | { readonly type: "entered"; readonly nodeId: string }
  | { readonly type: "decided"; readonly decision: Decision }
  | { readonly type: "collected"; readonly name: string; readonly value: string | number | boolean | null }
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: "tool_result";
      readonly id: string;
      readonly name: string;
      readonly output: unknown;
      readonly ok: boolean;
    }
  | { readonly type: "press"; readonly keys: string }
  | { readonly type: "transfer"; readonly to: string; readonly how: "refer" | "bridge" | "auto" }
  /** A language model took its turn, or all that could be asked failed. */
  | { readonly type: "model_asked"; readonly hasFailed: boolean }
  /** The callee never wants to be called again. */
  | { readonly type: "suppress" }
  /** Spoken to the end, then hung up. Nothing comes after it. */
  | {
      readonly type: "end";
      readonly reason: "finished" | "voicemail_left" | "voicemail_hangup" | "fax" | "engine_error";
    };

/** What the callee may say now. Recognition scores the answers; the end of the turn is judged by their shape. */
export interface Expectation {
  readonly kind: ExpectedKind;
  /** Phrases that would be no surprise, as people say them. Empty for free speech. */
  readonly answers: readonly string[];
  /** How many digits or letters a dictated value has, where that is known. */
  readonly length: number | null;
  /** Whether keys are an answer too, and how many of them. */
  readonly keysMax: number | null;
  /** What this node sets differently from the agent, by the names of the turn settings. */
  readonly settings: Readonly<Record<string, number>>;
}

export type ExpectedKind =
  | "nothing"
  | "yes_no"
  | "choice"
  | "number"
  | "digits"
  | "date"
  | "time"
  | "phone"
  | "email"
  | "name"
  | "free_text";
