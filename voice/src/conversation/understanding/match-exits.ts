import type { AskNode } from "@parley/contract/flow-ask";
import type { Word } from "../../text/from-speech/words.ts";
import type { Clause } from "./parse-utterance.ts";
import { plainWords, withoutFillers } from "./plain-words.ts";
import { isSameWord, stemOf } from "./word-forms.ts";

/** The second judge: which of the answers a clause names, and which of its words that does not explain. */
export interface ExitMatch {
  readonly exit: number;
  readonly clause: number;
  /** whole: nothing else is in the clause. phrase: the phrase as it is. scattered: its words one by one. */
  readonly strength: "whole" | "phrase" | "scattered";
  /** Between which tokens of the clause. */
  readonly start: number;
  readonly end: number;
  /** The clause says that it is not this. */
  readonly isNegated: boolean;
  /** Content words of the clause that neither the phrase nor the question explains. */
  readonly unexplained: readonly string[];
  /** The phrase is a statement of the callee ("I will come"), which a question does not make. */
  readonly isStatement: boolean;
}

/** This many words may stand between those of a phrase: "I will definitely be able to come". */
const GAP_MAX = 4;
/** Words that do not distinguish phrases, and need not be said. */
const SMALL_WORDS = new Set(
  "a an the i you we it is are am be to of in on at for my your our me us this that these those will would do does did and or with have has had please can could shall should want like need going get got going there here as up some any one was were been being by from all too very much more so his her their him them he she they am if then about out into over off than what when who which where how".split(
    " ",
  ),
);
/** Words that strengthen or soften and change no meaning. */
const ADVERBS = new Set(
  "definitely absolutely certainly really totally completely also already still again always ever even quite pretty rather gladly happily surely possibly probably honestly actually exactly indeed fully personally currently immediately straight simply anyway today tomorrow tonight".split(
    " ",
  ),
);
const NEGATIONS = new Set(["not", "never", "without", "neither", "nor", "no", "nothing", "none", "hardly", "barely"]);
const BARE = /^\s*(?:yes|no)[\s.!]*$/i;
/** How much of a phrase must be said if only one of its words distinguishes it from others. */
const SHARED_MIN = 0.5;

export function matchExits(clauses: readonly Clause[], ask: AskNode, questionWords: ReadonlySet<string>): ExitMatch[] {
  return clauses.flatMap((clause, index) => {
    const found = ask.exits.flatMap(({ when, phrases = [] }, exit): ExitMatch[] => {
      // Yes and no are understood in all their forms elsewhere.
      const wordings = (ask.answer === "choice" ? [when, ...phrases] : phrases).filter((each) => !BARE.test(each));
      const matches = wordings.flatMap((wording) => {
        const words = withoutFillers(plainWords(wording));
        const span = matchPhrase(clause.tokens, words);
        return span === null ? [] : [{ ...span, words }];
      });
      const [best] = matches.toSorted(byStrength);
      return best === undefined ? [] : [describe(clause, index, exit, best, questionWords)];
    });
    const isOffer = clause.tokens.some(({ text }) => text === "or");
    const strongest = Math.max(...found.map(({ strength }) => STRENGTHS[strength]));
    return found.filter(
      (match) =>
        !isInsideAnother(match, found) &&
        // Words scattered over a clause count for nothing next to a verbatim phrase.
        (isOffer || match.strength !== "scattered" || strongest === STRENGTHS.scattered),
    );
  });
}

/** Content words of a clause beyond those that are explained. */
export function unexplainedWords(
  { tokens, yesNo }: Clause,
  explained: (at: number) => boolean,
  questionWords: ReadonlySet<string>,
): string[] {
  const isYesNo = (at: number) => yesNo.some(({ start, end }) => at >= start && at < end);
  return tokens.flatMap(({ text }, at) =>
    explained(at) || isYesNo(at) || SMALL_WORDS.has(text) || ADVERBS.has(text) || questionWords.has(stemOf(text))
      ? []
      : [text],
  );
}

/** The stems of the words of a question, which an answer may repeat. */
export function stemsOf(text: string): ReadonlySet<string> {
  return new Set(
    plainWords(text)
      .filter((word) => !SMALL_WORDS.has(word) && !ADVERBS.has(word))
      .map(stemOf),
  );
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly strength: ExitMatch["strength"];
}

function describe(
  clause: Clause,
  index: number,
  exit: number,
  { start, end, strength, words }: Span & { readonly words: readonly string[] },
  questionWords: ReadonlySet<string>,
): ExitMatch {
  const hasOwnNegation = words.some((word) => NEGATIONS.has(word));
  const isNegated = clause.signals.some(
    ({ kind, at }) => kind === "negation" && !(hasOwnNegation && at >= start && at < end),
  );
  const phraseStems = new Set(words.map(stemOf));
  const unexplained = unexplainedWords(
    clause,
    (at) => at >= start && at < end && phraseStems.has(stemOf(clause.tokens[at]?.text ?? "")),
    questionWords,
  );
  const isStatement = /^(?:i|we|yes|no|my|it|that)$/.test(words[0] ?? "");
  return { exit, clause: index, strength, start, end, isNegated, unexplained, isStatement };
}

const STRENGTHS = { whole: 3, phrase: 2, scattered: 1 } as const;

function byStrength(one: Span, other: Span): number {
  return STRENGTHS[other.strength] - STRENGTHS[one.strength] || other.end - other.start - (one.end - one.start);
}

/** "come" within "come another day" is not a match of its own. */
function isInsideAnother(match: ExitMatch, all: readonly ExitMatch[]): boolean {
  return all.some(
    (other) =>
      other !== match &&
      STRENGTHS[other.strength] >= STRENGTHS[match.strength] &&
      other.start <= match.start &&
      other.end >= match.end &&
      other.end - other.start > match.end - match.start,
  );
}

function matchPhrase(tokens: readonly Word[], phrase: readonly string[]): Span | null {
  if (phrase.length === 0 || tokens.length === 0) return null;
  const words = tokens.map(({ text }) => text);
  const together = findTogether(words, phrase);
  if (together !== null) {
    const isAll = together.start === 0 && together.end === words.length;
    return { ...together, strength: isAll ? "whole" : "phrase" };
  }
  const telling = phrase.filter((word) => !SMALL_WORDS.has(word));
  // Of "I will be there" only one word is left, and "is there a bus" has it too.
  const shared = phrase.filter((word) => words.some((said) => isSameWord(said, word))).length;
  if (telling.length === 1 && shared < phrase.length * SHARED_MIN) return null;
  // A phrase with a "not" in it must be said with one.
  const scattered = findScattered(words, telling);
  return scattered === null ? null : { ...scattered, strength: "scattered" };
}

function findTogether(words: readonly string[], phrase: readonly string[]): { start: number; end: number } | null {
  for (let start = 0; start + phrase.length <= words.length; start += 1) {
    if (phrase.every((word, index) => isSameWord(words[start + index] ?? "", word))) {
      return { start, end: start + phrase.length };
    }
  }
  return null;
}

/** The words that matter, in their order, with others between them. */
function findScattered(words: readonly string[], phrase: readonly string[]): { start: number; end: number } | null {
  if (phrase.length === 0) return null;
  for (let start = 0; start < words.length; start += 1) {
    const end = followFrom(words, start, phrase);
    if (end !== null) return { start, end };
  }
  return null;
}

function followFrom(words: readonly string[], start: number, phrase: readonly string[]): number | null {
  let at = start;
  for (const [index, word] of phrase.entries()) {
    const reach = index === 0 ? 1 : GAP_MAX + 1;
    const step = words.slice(at, at + reach).findIndex((said) => isSameWord(said, word));
    if (step < 0) return null;
    at += step + 1;
  }
  return at;
}
