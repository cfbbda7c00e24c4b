import { GOODBYE_LINE, REPLY_LINES } from "./choose-reply.ts";
import type { CalleeGoal } from "./goals.ts";

/** How a person differs from the friendly one. */
export interface HumanTraits {
  readonly greeting: string;
  /** Leaves long pauses inside sentences. */
  readonly isSlow?: boolean;
  /** Speaks over the agent after it has spoken for this long, with each line once. */
  readonly interrupts?: { readonly afterMs: number; readonly lines: readonly string[] };
  /** Shows that it listens, every so often while the agent speaks. */
  readonly murmurs?: { readonly everyMs: number; readonly line: string };
  /** Hangs up in the middle of what the agent says. */
  readonly hangsUpAfterMs?: number;
  /** Asks the agent to repeat, instead of its first answers. */
  readonly asksBack?: readonly string[];
  /** What it wants, in order of precedence; else it is polite. */
  readonly goals?: readonly CalleeGoal[];
  /** Puts the agent on hold instead of its first answer. */
  readonly holds?: { readonly line: string; readonly forMs: number; readonly backLine: string };
}

export const NUDGE_LINE = "Hello? Are you still there?";
export const GIVE_UP_LINE = "I cannot hear you. Goodbye.";
export const MUST_GO_LINE = "I have to go now. Goodbye.";

/** All that a person may say, as it says it. */
export function linesOfHuman(traits: HumanTraits): readonly string[] {
  const { greeting, interrupts, murmurs, holds, asksBack = [], goals = [] } = traits;
  const lines = [
    greeting,
    ...(interrupts?.lines ?? []),
    ...(murmurs === undefined ? [] : [murmurs.line]),
    ...(holds === undefined ? [] : [holds.line, holds.backLine]),
    ...asksBack,
    ...goals.flatMap(({ does }) => ("text" in does ? [does.text] : [])),
    ...REPLY_LINES,
    NUDGE_LINE,
    GIVE_UP_LINE,
    MUST_GO_LINE,
    GOODBYE_LINE,
  ];
  return [...new Set(lines)].map((line) => asSaidBy(traits, line));
}

/** A slow speaker leaves a long pause, written as three dots, after every second word. */
export function asSaidBy({ isSlow }: HumanTraits, text: string): string {
  if (isSlow !== true) return text;
  const words = text.split(" ");
  return words.map((word, index) => (index % 2 === 1 && index < words.length - 1 ? `${word} ...` : word)).join(" ");
}
