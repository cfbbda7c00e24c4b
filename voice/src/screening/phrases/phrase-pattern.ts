import { wordsOf } from "../../text/values-in-speech/words.ts";
import type { Party } from "../evidence.ts";

/**
 * A phrase and its variants, in lower case. A word may be a choice (`tone/beep`) or optional (`a?`), `..`
 * stands for up to three other words, `+` for one to four, and `^` and `$` for the beginning and the end of all that was
 * said at once. `!to/can` names words that must not stand before the next one.
 */
type PhrasePattern = string;

interface CompiledPhrase {
  readonly pattern: PhrasePattern;
  readonly finder: RegExp;
}

const EXPANSIONS: readonly (readonly [RegExp, string])[] = [
  [/^can't$/, "cannot"],
  [/^won't$/, "will not"],
  [/n't$/, " not"],
  [/'re$/, " are"],
  [/'ve$/, " have"],
  [/'ll$/, " will"],
  [/'m$/, " am"],
  [/'d$/, " would"],
  [/^(who|what|he|she|it|that|there|here|where|how|name|everyone|everybody|nobody)'s$/, "$1 is"],
  [/'s$/, ""],
];

/** Two ways to write one thing, and what recognition makes of it. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/ can not /g, " cannot "],
  [/ voice mails? /g, " voicemail "],
  [/ voicemails /g, " voicemail "],
  [/ voice mailbox /g, " voicemail box "],
  [/ (?:mail|male) box /g, " mailbox "],
  [/ (dialled|dial) /g, " dialed "],
  [/ (?:hey|hi) there /g, " hi "],
];

/** Separates two things that were not said in one breath. No phrase spans it. */
export const BREAK = "|";

/** A text normalized for phrase matching: lower case, without contractions, with a space around each word. */
export function phraseText(text: string): string {
  const words = wordsOf(text).map(({ text: word }) => {
    for (const [contraction, expanded] of EXPANSIONS) {
      if (contraction.test(word)) return word.replace(contraction, expanded);
    }
    return word;
  });
  return SAME.reduce((all, [form, usual]) => all.replace(form, usual), ` ${words.join(" ")} `).replace(/ {2,}/g, " ");
}

export function compilePhrase(pattern: PhrasePattern): CompiledPhrase {
  const source = pattern
    .split(" ")
    .map((part) => {
      if (part === "^") return `(?<=^ |\\${BREAK} )`;
      if (part === "$") return `(?=$|\\${BREAK})`;
      if (part === "..") return `(?:[^ ${BREAK}]+ ){0,3}`;
      if (part.startsWith("!")) return `(?<! (?:${part.slice(1).split("/").join("|")}) )`;
      if (part === "+") return `(?:[^ ${BREAK}]+ ){1,4}`;
      const isOptional = part.endsWith("?");
      const words = (isOptional ? part.slice(0, -1) : part).split("/").join("|");
      return isOptional ? `(?:(?:${words}) )?` : `(?:${words}) `;
    })
    .join("");
  return { pattern, finder: new RegExp(`(?<= )${source}`, "g") };
}

/** Several phrases, written in one string with bars between them. */
function compilePhrases(patterns: string): readonly CompiledPhrase[] {
  return patterns.split("|").map((pattern) => compilePhrase(pattern.trim()));
}

/** The words that match the phrase, null if none do. */
export function findPhrase(text: string, { finder }: CompiledPhrase): string | null {
  finder.lastIndex = 0;
  return finder.exec(text)?.[0].trim() ?? null;
}

/** The text with a break in place of every match of the phrase. */
export function withoutPhrase(text: string, { finder }: CompiledPhrase): string {
  return text.replace(finder, `${BREAK} `);
}

/** How much a phrase indicates: enough alone, much, or a little. */
type CueStrength = "strong" | "fair" | "weak";

/** A phrase that is evidence for a party. */
export interface Cue {
  readonly party: Party;
  readonly strength: CueStrength;
  readonly phrase: CompiledPhrase;
}

export function cuesFor(party: Party, phrases: Readonly<Partial<Record<CueStrength, string>>>): readonly Cue[] {
  return (Object.entries(phrases) as [CueStrength, string][]).flatMap(([strength, patterns]) =>
    compilePhrases(patterns).map((phrase): Cue => ({ party, strength, phrase })),
  );
}
