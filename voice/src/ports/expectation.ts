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
