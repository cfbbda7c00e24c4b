import type { AnsweredBy } from "../../../ports/conversation-journal.ts";

/** One answer to a call: what is said, in order, with pauses in milliseconds between. */
export interface Greeting {
  readonly id: string;
  /** An announcement of the network is nobody, which is reported as `unknown` and `unreachable`. */
  readonly answeredBy: AnsweredBy | "announcement";
  readonly parts: readonly (string | number)[];
  readonly beep: Beep | null;
}

export interface Beep {
  readonly afterMs: number;
  readonly frequencyHz: number;
  readonly durationMs: number;
}

/** Numbers the greetings of a list, so that a report can name them. */
export function numberGreetings(
  answeredBy: Greeting["answeredBy"],
  list: readonly { readonly parts: Greeting["parts"]; readonly beep?: Beep }[],
): readonly Greeting[] {
  return list.map(({ parts, beep }, index) => ({
    id: `${answeredBy} ${index + 1}`,
    answeredBy,
    parts,
    beep: beep ?? null,
  }));
}
