/** An invariant of the database. */
export interface InvariantCheck {
  readonly name: string;
  /** What holds, as a sentence. */
  readonly promise: string;
  /** Finds what breaks it: one row per violation, with `subject` (an id) and `detail` (what is wrong with it). */
  readonly sql: string;
}

/** The moment a check judges by. It is the start of its transaction unless another one is given as the only parameter. */
export const AS_OF = "coalesce($1::timestamptz, now())";
