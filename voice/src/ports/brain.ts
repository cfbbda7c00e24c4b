/**
 * Decides what the agent says and does: a flow, a language model, or both. It is independent of audio and clock. Its
 * state is a value, so that a turn can be undone when the callee continues to speak.
 */
export interface Brain {
  /** What the callee may say now, for recognition and endpointing. */
  readonly expectation: Expectation;
  /** The first clauses of likely replies, so that they can be rendered in advance. */
  likelyClauses(): readonly string[];
  /** Said before the service hangs up, in the language that is spoken now. One text, with the marks for the voice. */
  farewell(): string;
  /** The opening. Called when the callee has answered, never before. */
  open(turnId: number, signal: AbortSignal): AsyncIterable<ReplyPart>;
  /** The reply to the callee's turn. One reply at a time; a new one starts after the last was ended or aborted. */
  reply(turnId: number, turn: CalleeTurn, signal: AbortSignal): AsyncIterable<ReplyPart>;
  /**
   * Like `reply`, for a turn that has probably ended. The reply is decided as far as possible, but nothing happens
   * outside the conversation until `commit`. It is followed by either `commit` or `withdraw`.
   */
  prepare(turnId: number, turn: CalleeTurn, signal: AbortSignal): AsyncIterable<ReplyPart>;
  /** The turn has ended: the prepared reply stands, like any other. */
  commit(turnId: number): void;
  /** The callee continued: as if the prepared reply, which is aborted, had never been asked for. */
  withdraw(turnId: number): void;
  /**
   * The reply has ended: everything was heard, or it was cut off after these words. Called exactly once for each reply,
   * even if nothing was heard. Results of tools that arrive after a cut are kept.
   */
  noteHeard(turnId: number, heard: { readonly text: string; readonly wasCut: boolean }): void;
  /**
   * A person is on the line. Before that, the brain may speak and ask, but it sends no request, presses no key
   * and transfers no call: such actions wait.
   */
  permitEffects(): void;
  /**
   * A machine spoke instead of a person: goes back to before the first turn that was attributed to a person. Returns
   * the remaining collected values. Effects of tools are not undone.
   */
  disregardCallee(): Readonly<Record<string, string | number | boolean | null>>;
  /** Goes back to before this turn, because the callee continued. Collected values are restored. */
  undo(turnId: number): void;
}

export type CalleeTurn =
  | {
      readonly type: "said";
      readonly text: string;
      /** The expected answer that recognition matched. */
      readonly best: { readonly answer: string; readonly score: number; readonly margin: number } | null;
      /** The language that was spoken, as a BCP 47 tag, if the recognizer says. */
      readonly language?: string;
    }
  | { readonly type: "pressed"; readonly keys: string }
  /** The callee was silent for the configured time; `count` is the number of consecutive times. */
  | { readonly type: "silent"; readonly count: number }
  /** Speech that could not be recognized. */
  | { readonly type: "unclear" }
  /**
   * The last reply was cut off, but the callee only listened ("okay"), or it was a noise: the reply continues with what
   * was not heard.
   */
  | { readonly type: "listened"; readonly text: string }
  | { readonly type: "transfer_failed"; readonly reason: string }
  /** A machine answered: its kind, and whether it is recording. */
  | { readonly type: "machine"; readonly kind: "voicemail" | "ivr" | "screening" | "fax" };

/** How the brain interpreted the callee's turn, and on which evidence. */
export interface Decision {
  /** The node whose question was open. */
  readonly nodeId: string;
  /**
   * - answer: an answer to the question.
   * - ask_back: a possible answer that the agent asks about.
   * - jump: to another part of the flow.
   * - request: something every agent can do, such as repeating the question.
   * - not_understood: nothing matched.
   */
  readonly taken: "answer" | "ask_back" | "jump" | "request" | "not_understood";
  /** The value, the request or the node; null if nothing matched. */
  readonly result: string | number | boolean | null;
  /**
   * - words: the recognized text.
   * - expected_answer: the expected answer that matched the audio best.
   * - similarity: the expected answer closest in meaning.
   * - keys: keys of the telephone.
   * - judge: the local judge of answers.
   * - model: a language model.
   */
  readonly evidence: "words" | "expected_answer" | "similarity" | "keys" | "judge" | "model" | null;
  /** How certain that evidence was, from 0 to 1, if known. */
  readonly score: number | null;
  /** The opinions of the judges of the answer, in order. Omitted if nothing speaks for or against it. */
  readonly why?: readonly { readonly judge: string; readonly says: string }[];
}

export type ReplyPart =
  /** One clause to speak. Clauses come in order and are spoken in order. */
  | {
      readonly type: "say";
      readonly text: string;
      readonly mayBeInterrupted: boolean;
      /** The same words with the marks of `speech-notation.ts` for the voice. Left out if there are none. */
      readonly speech?: string;
    }
  | { readonly type: "entered"; readonly nodeId: string; readonly exit?: string }
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
  /** Nothing follows until another component has answered: where the time of a reply goes. */
  | { readonly type: "waits"; readonly on: "judges" | "model" | "tool" }
  /** A language model took its turn, or all available ones failed. */
  | { readonly type: "model_asked"; readonly hasFailed: boolean }
  /** The callee speaks another language than the agent: an ISO 639-1 code. */
  | { readonly type: "language_noticed"; readonly language: string }
  /** The callee never wants to be called again. */
  | { readonly type: "suppress" }
  /** Spoken to the end, then the call is hung up. Nothing comes after it. */
  | {
      readonly type: "end";
      readonly reason: "finished" | "voicemail_left" | "voicemail_hangup" | "fax" | "engine_error";
    };

/** What the callee may say now. Recognition scores the answers; the end of the turn is judged by their shape. */
export interface Expectation {
  readonly kind: ExpectedKind;
  /** Phrases to expect, as people say them. Empty for free speech. */
  readonly answers: readonly string[];
  /** The number of digits or letters of a dictated value, if known. */
  readonly length: number | null;
  /** Whether keys are an answer too, and how many. */
  readonly keysMax: number | null;
  /** The language in which the answer is expected, as a BCP 47 tag. Left out: that of the call. */
  readonly language?: string;
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
