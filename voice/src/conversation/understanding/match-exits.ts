import type { AskNode } from "@parley/contract/flow-ask";
import type { Word } from "../../text/values-in-speech/words.ts";
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
  "definitely absolutely certainly really totally completely also already still again always ever even quite pretty rather gladly happily surely possibly probably honestly actually exactly indeed fully personally currently immediately straight simply anyway today tomorrow tonight unfortunately".split(
    " ",
  ),
);
const NEGATIONS = new Set(["not", "never", "without", "neither", "nor", "no", "nothing", "none", "hardly", "barely"]);
const BARE = /^\s*(?:yes|no)[\s.!]*$/i;
/** These change the verb before them: "put it" is not yet "put it off", nor is "move" "move up". */
const PARTICLES = new Set(["up", "down", "off", "out", "over", "away", "back", "on", "in", "through", "along"]);
const ARTICLES = new Set(["the", "a", "an", "my", "our", "some"]);
/** What a choice is put in: "I'd like the patio", "the patio would be fine". Nothing in it says anything else. */
const FRAME_BEFORE =
  /^(?:(?:(?:i|we) (?:will|would) (?:have|take|like|love|prefer|choose|pick|say|go (?:for|with))|(?:i|we) (?:want|prefer|choose|pick|need)|let us (?:do|say|have|take|go (?:for|with))|make (?:it|that)|put me down for|give me|go (?:for|with)|it is|it would be|it will be|definitely|certainly|probably|still) ?)?(?:(?:in|on|at|by|to|for|with|from) ?)?(?:(?:the|a|an|my|our|some) ?)?$/;
const FRAME_AFTER =
  /^(?:(?:one|option) ?)?(?:(?:is|would be|will be|sounds|looks|works|suits|would suit|will do|would do) ?)?(?:(?:me|us) ?)?(?:(?:fine|good|best|great|perfect|okay|all right|lovely|ideal|easiest|better|nice) ?)?(?:(?:for|with|by) (?:me|us) ?)?(?:it is|i think|i guess|i suppose)?$/;
const STATEMENT_START = /^(?:i|we|yes|no|my|it|that)$/;
/** How much of a phrase must be said if only one of its words distinguishes it from others. */
const SHARED_MIN = 0.5;

export function matchExits(clauses: readonly Clause[], ask: AskNode, questionWords: ReadonlySet<string>): ExitMatch[] {
  const shortNames = ask.exits.map((_, exit) => shortNameOf(ask, exit));
  return clauses.flatMap((clause, index) => {
    const found = ask.exits.flatMap(({ when, phrases = [] }, exit): ExitMatch[] => {
      // Yes and no are understood in all their forms elsewhere.
      const wordings = (ask.answer === "choice" ? [when, ...phrases] : phrases).filter((each) => !BARE.test(each));
      const matches = wordings.flatMap((wording) => {
        const words = withoutArticle(withoutFillers(plainWords(wording)));
        const span = matchPhrase(clause.tokens, words);
        return span === null ? [] : [{ ...span, words }];
      });
      const shortName = shortNames[exit] ?? null;
      const named = shortName === null ? null : matchPhrase(clause.tokens, [shortName]);
      // Among other words it may be about anything.
      if (shortName !== null && named?.strength === "whole")
        matches.push({ ...named, strength: "phrase", words: [shortName] });
      const [best] = matches.toSorted(byStrength);
      return best === undefined ? [] : [describe(clause, index, exit, best, questionWords)];
    });
    const isOffer = clause.tokens.some(({ text }) => text === "or" || text === "and");
    const strongest = Math.max(...found.map(({ strength }) => STRENGTHS[strength]));
    return found.filter(
      (match) =>
        !isInsideAnother(match, found) &&
        // Words scattered over a clause count for nothing next to a verbatim phrase.
        (isOffer || match.strength !== "scattered" || strongest === STRENGTHS.scattered),
    );
  });
}

/** Names of things that begin with one of these: "the blue salon", "my own marquee". */
const NAMED_THING = /^(?:the|a|an|my|our|your|his|her|their) /;
/** Words that limit a name and are left out of it: "online only". */
const LIMITS = new Set(["only", "alone", "just"]);
const SHORT_NAME_LENGTH_MIN = 4;

/** The one word by which a longer name is known if no other exit has it: "the marquee" for "my own marquee". */
function shortNameOf({ answer, exits }: AskNode, exit: number): string | null {
  const words = plainWords(exits[exit]?.when ?? "");
  const isThing = NAMED_THING.test(words.join(" ")) || words.some((word) => LIMITS.has(word));
  if (answer !== "choice" || !isThing || words.some((word) => NEGATIONS.has(word))) return null;
  const telling = words.filter((word) => !SMALL_WORDS.has(word) && !ADVERBS.has(word) && !LIMITS.has(word));
  const last = telling.at(-1) ?? "";
  if (last.length < SHORT_NAME_LENGTH_MIN || PARTICLES.has(last)) return null;
  const isShared = exits.some(({ when, phrases = [] }, other) => {
    return other !== exit && stemsOf([when, ...phrases].join(" . ")).has(stemOf(last));
  });
  return isShared ? null : last;
}

/**
 * The words by which other exits than this one are known. A choice that lists its exits does not explain them. What the callee
 * would say of themselves ("I will come") names nothing.
 */
export function wordsOfOthers(
  clauses: readonly Clause[],
  ask: AskNode,
  exit: number,
  isRuledOut: (exit: number) => boolean,
): readonly string[] {
  const { when = "", phrases = [] } = ask.exits[exit] ?? {};
  const own = stemsOf([when, ...phrases].join(" . "));
  const others = new Set(
    ask.exits.flatMap((other, index) => {
      const words = plainWords(other.when);
      if (index === exit || isRuledOut(index) || STATEMENT_START.test(words[0] ?? "")) return [];
      return [...stemsOf(other.when)].slice(-1);
    }),
  );
  return clauses.flatMap(({ tokens }) =>
    tokens.flatMap(({ text }) => (others.has(stemOf(text)) && !own.has(stemOf(text)) ? [text] : [])),
  );
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
  const isNegated =
    isRefused(clause, start, end, hasOwnNegation) ||
    clause.signals.some(({ kind, at }) => kind === "negation" && !(hasOwnNegation && at >= start && at < end));
  const phraseStems = new Set(words.map(stemOf));
  const unexplained = unexplainedWords(
    clause,
    (at) => at >= start && at < end && phraseStems.has(stemOf(clause.tokens[at]?.text ?? "")),
    questionWords,
  );
  const isStatement = STATEMENT_START.test(words[0] ?? "");
  return { exit, clause: index, strength, start, end, isNegated, unexplained, isStatement };
}

/** "Not today" names today, and "no need to split it" splitting, to rule it out. A bare no before it answers. */
function isRefused({ yesNo }: Clause, start: number, end: number, hasOwnNegation: boolean): boolean {
  return yesNo.some(
    (hit) =>
      hit.phrase.meaning === "no" &&
      hit.phrase.words.length > 1 &&
      !(hasOwnNegation && hit.start < end && hit.end > start) &&
      hit.start <= start &&
      hit.phrase.words.some((word) => NEGATIONS.has(word)),
  );
}

function withoutArticle(words: readonly string[]): readonly string[] {
  return words.length > 1 && ARTICLES.has(words[0] ?? "") ? words.slice(1) : words;
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
    const before = words.slice(0, together.start).join(" ");
    const after = words.slice(together.end).join(" ");
    const isAll = FRAME_BEFORE.test(before) && FRAME_AFTER.test(after);
    return { ...together, strength: isAll ? "whole" : "phrase" };
  }
  if (lacksParticle(words, phrase)) return null;
  const telling = phrase.filter((word) => !SMALL_WORDS.has(word));
  // Of "I will be there" only one word is left, and "is there a bus" has it too.
  const shared = phrase.filter((word) => words.some((said) => isSameWord(said, word))).length;
  if (telling.length === 1 && shared < phrase.length * SHARED_MIN) return null;
  // A phrase with a "not" in it must be said with one.
  const scattered = findScattered(words, telling);
  return scattered === null ? null : { ...scattered, strength: "scattered" };
}

/** A phrase of one verb and a particle, of which only the verb was said. */
function lacksParticle(words: readonly string[], phrase: readonly string[]): boolean {
  const [particle] = phrase.slice(1).filter((word) => PARTICLES.has(word));
  const verbs = phrase.filter((word) => !SMALL_WORDS.has(word) && !PARTICLES.has(word));
  return particle !== undefined && verbs.length === 1 && !words.includes(particle);
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
