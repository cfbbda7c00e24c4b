import type { AskNode } from "@parley/contract/flow-ask";

/** First-person words and what they become when the agent says them to the callee. */
const SECOND_PERSON: Readonly<Record<string, string>> = {
  i: "you",
  me: "you",
  my: "your",
  mine: "yours",
  myself: "yourself",
  am: "are",
  "i'm": "you're",
  "i'll": "you'll",
  "i'd": "you'd",
  "i've": "you've",
  we: "you",
  us: "you",
  our: "your",
  "we're": "you're",
  "we'll": "you'll",
  "we've": "you've",
};

/**
 * Verbs that labels of answers begin with. What begins otherwise is treated as a thing: "another day", "the small
 * plan".
 */
const VERBS = new Set(
  "accept add agree arrange ask attend book bring buy call cancel change check collect come confirm continue decline delay deliver discuss downgrade end exchange extend finish fix get give go hear help join keep leave let make meet move order pause pay pick postpone quit receive reduce refuse renew rent repair repeat reschedule return save schedule see sell send ship sign skip speak stay stop store subscribe switch take talk transfer try update upgrade use visit vote wait".split(
    " ",
  ),
);

/**
 * A choice as the agent says it back to the callee, as a statement without its full stop: "you will come", "you'd like to
 * cancel", "you've already paid". Flows may word it themselves.
 */
export function statementOf(ask: AskNode, exit: number): string {
  const { when = "", readBack } = ask.exits[exit] ?? {};
  if (readBack !== undefined) return readBack.trim().replace(/[.!?]+$/, "");
  const words = when
    .trim()
    .replace(/[.!?]+$/, "")
    .split(/\s+/);
  const first = words[0]?.toLowerCase() ?? "";
  const spoken = words.map((word) => SECOND_PERSON[word.toLowerCase()] ?? word).join(" ");
  if (/^(?:i|we|my|our)(?:'|$)/.test(first)) return spoken;
  if (first === "already") return `you've ${spoken}`;
  if (VERBS.has(first)) return `you'd like to ${spoken}`;
  return `it's ${spoken}`;
}
