import type { Flow } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import type { FlowWarning } from "./problem.ts";

/**
 * Finds exits of a question that cannot be distinguished by their words, and choices that callees do not call by their
 * names. What only the models of a call can distinguish is checked by the service.
 */
export function warnOfExits(flow: Flow): FlowWarning[] {
  return flow.nodes.flatMap((node, index): FlowWarning[] => {
    if (node.type !== "ask" || (node.answer !== "choice" && node.answer !== "yes_no")) return [];
    const path = `nodes[${index}]`;
    return [...collisionsOf(node, path), ...vagueExits(node, path)];
  });
}

/** One way to say an exit. */
interface Wording {
  readonly exit: number;
  readonly text: string;
  /** Its field within the node. */
  readonly field: string;
  readonly words: readonly string[];
}

/** Phrases of more words are compared as a whole only. */
const INNER_WORDS_MAX = 8;

function collisionsOf(ask: AskNode, path: string): FlowWarning[] {
  const wordings = wordingsOf(ask);
  const byWords = Map.groupBy(wordings, ({ words }) => words.join(" "));
  const reported = new Set<string>();
  return wordings.flatMap((wording) =>
    [...innerPhrases(wording.words)]
      .flatMap((inner) => byWords.get(inner) ?? [])
      .flatMap((other): FlowWarning[] => {
        const pair = [wording.exit, other.exit].toSorted((one, two) => one - two).join(" ");
        const clash = other.exit === wording.exit || reported.has(pair) ? null : clashOf(wording, other);
        if (clash === null) return [];
        // The first collision of two exits shows what is wrong with them.
        reported.add(pair);
        const [one, two] = [nameOf(ask, wording.exit), nameOf(ask, other.exit)];
        const advice = adviceFor(ask, wordings, wording.exit, other.exit);
        const message = `The node ${ask.id} cannot tell the exits ${one} and ${two} apart: ${clash}. ${advice}`;
        const parts = {
          one,
          two,
          clash,
          advice,
          whole: wording.text.trim(),
          inner: other.text.trim(),
          wordsOfOne: ownWords(wordings, wording.exit, other.exit).join(" "),
          wordsOfTwo: ownWords(wordings, other.exit, wording.exit).join(" "),
        };
        return [{ code: "indistinct_exits", nodeId: ask.id, path: `${path}.${wording.field}`, message, parts }];
      }),
  );
}

/** The words themselves, and every row of words in them. */
function innerPhrases(words: readonly string[]): Set<string> {
  const rows = words.flatMap((_, start) =>
    words
      .slice(start, start + INNER_WORDS_MAX)
      .map((_word, length) => words.slice(start, start + length + 1).join(" ")),
  );
  return new Set([words.join(" "), ...rows]);
}

/** All the ways to say the exits. Yes and no are understood in every form and are not compared by name. */
function wordingsOf(ask: AskNode): Wording[] {
  return ask.exits.flatMap(({ when, phrases = [] }, exit) => {
    const named = ask.answer === "choice" ? [{ text: when, field: `exits[${exit}].when` }] : [];
    const listed = phrases.map((text, at) => ({ text, field: `exits[${exit}].phrases[${at}]` }));
    return [...named, ...listed].map(({ text, field }) => ({ exit, text, field, words: plainWords(text) }));
  });
}

/** The overlap of a wording with another that is the same or contains it, or null when they mean opposites. */
function clashOf(whole: Wording, inner: Wording): string | null {
  if (inner.words.length === 0) return null;
  if (whole.words.length === inner.words.length) {
    return whole.text.trim() === inner.text.trim()
      ? `both have "${whole.text.trim()}"`
      : `"${whole.text.trim()}" and "${inner.text.trim()}" are the same words`;
  }
  // "I can not come" has "come" in it and is the opposite.
  if (isNegative(whole.words) !== isNegative(inner.words)) return null;
  return `"${whole.text.trim()}" contains "${inner.text.trim()}"`;
}

function adviceFor(ask: AskNode, wordings: readonly Wording[], one: number, other: number): string {
  const hint = (exit: number, against: number) => {
    const words = ownWords(wordings, exit, against);
    return words.length === 0
      ? `give ${nameOf(ask, exit)} phrases with words of its own`
      : `use ${words.map((word) => `"${word}"`).join(" or ")} for ${nameOf(ask, exit)}`;
  };
  const advice = `${hint(one, other)}, and ${hint(other, one)}.`;
  return `${advice.charAt(0).toUpperCase()}${advice.slice(1)}`;
}

/** This many words are enough to show what distinguishes an exit. */
const HINTS_MAX = 3;

/** Words that one exit has and another does not. */
function ownWords(wordings: readonly Wording[], exit: number, other: number): string[] {
  const wordsOf = (wanted: number) => wordings.flatMap((each) => (each.exit === wanted ? each.words : []));
  const taken = new Set(wordsOf(other));
  const own = new Set(wordsOf(exit).filter((word) => !taken.has(word) && !SMALL_WORDS.has(word)));
  return [...own].slice(0, HINTS_MAX);
}

/** Names of choices that no one answers with, and what people say instead. */
const VAGUE: readonly { readonly names: string; readonly say: readonly string[] }[] = [
  {
    names: "other|others|else|something else|anything else|misc|miscellaneous",
    say: ["something different", "none of those", "it's about something else"],
  },
  {
    names: "maybe|perhaps|unsure|undecided|not sure|unknown",
    say: ["I'm not sure yet", "I can't say yet", "I have to think about it"],
  },
  { names: "none|nothing|neither", say: ["none of those", "neither of them", "I don't want any"] },
  { names: "all|both|any|either|whatever", say: ["all of them", "either is fine", "I don't mind"] },
  {
    names: "general|default|normal|standard|option|more|info|information",
    say: ["I have a question", "I'd like some information", "the usual one"],
  },
];

function vagueExits(ask: AskNode, path: string): FlowWarning[] {
  if (ask.answer !== "choice") return [];
  return ask.exits.flatMap(({ when, phrases = [] }, exit): FlowWarning[] => {
    const name = plainWords(when).join(" ");
    const examples = VAGUE.find(({ names }) => names.split("|").includes(name))?.say;
    if (phrases.length > 0 || examples === undefined) return [];
    const such = examples.map((each) => `"${each}"`).join(", ");
    const message = `The node ${ask.id} has an exit ${nameOf(ask, exit)} without phrases, and callees rarely say that. Add what they say, such as ${such}.`;
    const parts = { exit: nameOf(ask, exit), examples: such };
    return [{ code: "vague_exit", nodeId: ask.id, path: `${path}.exits[${exit}]`, message, parts }];
  });
}

function nameOf(ask: AskNode, exit: number): string {
  return `"${ask.exits[exit]?.when.trim() ?? ""}"`;
}

/** Words that do not distinguish exits. */
const SMALL_WORDS = new Set(
  "i you we it is are am be to of in on at for my your our me us this that will would do can with have and or not no yes as so".split(
    " ",
  ),
);
const FILLERS = new Set("a an the please just well um uh thanks".split(" "));
const SHORT_FORMS: readonly (readonly [pattern: RegExp, written: string])[] = [
  [/\bcan(?:no|')t\b/g, "can not"],
  [/\bwon't\b/g, "will not"],
  [/n't\b/g, " not"],
  [/'ll\b/g, " will"],
  [/'ve\b/g, " have"],
  [/'re\b/g, " are"],
  [/'m\b/g, " am"],
  [/'d\b/g, " would"],
];

function isNegative(words: readonly string[]): boolean {
  return words.some((word) => /^(?:no|not|never|without|nobody|nothing|none|neither)$/.test(word));
}

/** Without case, punctuation, articles and politeness, and with short forms written out. */
function plainWords(text: string): readonly string[] {
  const straight = text.toLowerCase().replaceAll("’", "'");
  const long = SHORT_FORMS.reduce((written, [pattern, words]) => written.replace(pattern, words), straight);
  const words = long.match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
  const kept = words.filter((word) => !FILLERS.has(word));
  return kept.length === 0 ? words : kept;
}
