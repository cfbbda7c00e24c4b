/** A value as it is collected: dates as `2026-01-31`, times as `09:30`, yes and no as true and false. */
export type CollectedValue = string | number | boolean | null;

/** An answer that was understood. */
export interface Answer {
  readonly value: CollectedValue;
  /** Which of the question's exits it takes, null when none is for it. */
  readonly exit: number | null;
}

/** What was made of something that was said or pressed. */
export type AnswerReading =
  | { readonly type: "answer"; readonly answer: Answer }
  /** It may be either of these, likelier first. */
  | { readonly type: "doubt"; readonly options: readonly [Answer, Answer] }
  /** The beginning of a longer row of digits. */
  | { readonly type: "part"; readonly digits: string }
  | { readonly type: "none" };

export const NOT_UNDERSTOOD: AnswerReading = { type: "none" };

/** What dates and times are relative to. */
export interface ReadingContext {
  readonly nowMs: number;
  /** Where the callee is, as an IANA name. */
  readonly timeZone: string;
  /** Whether 3/4 is the third of April. */
  readonly isDayFirst: boolean;
}
