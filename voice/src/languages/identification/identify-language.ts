import { FRENCH_WORDS } from "../french/french-words.ts";
import { GERMAN_WORDS } from "../german/german-words.ts";
import { SPANISH_WORDS } from "../spanish/spanish-words.ts";
import { ALSO_ENGLISH, COMMON_WORDS, WORDS_ABOUT_LANGUAGES, WORDS_OF_NAMES } from "./common-words.ts";

/** In which language something was said, as an ISO 639-1 code, judged by its words. */
export interface IdentifiedLanguage {
  readonly language: string;
  /**
   * - strong: a sentence that no one says in the expected language.
   * - weak: a word or two, which may be a greeting, a joke or a name.
   */
  readonly evidence: "strong" | "weak";
}

const PACK_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  es: SPANISH_WORDS,
  de: GERMAN_WORDS,
  fr: FRENCH_WORDS,
};

/** The words of each language that can be identified. What the packs translate to is English. */
const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(COMMON_WORDS).map(([language, common]) => {
    const ofPacks =
      language === "en"
        ? [...Object.values(PACK_WORDS).flatMap((pack) => Object.values(pack)), ALSO_ENGLISH]
        : Object.keys(PACK_WORDS[language] ?? {});
    return [language, new Set([common, ...ofPacks].flatMap(wordsIn))];
  }),
);
const OF_NAMES = new Set(wordsIn(WORDS_OF_NAMES));
const ABOUT_LANGUAGES = new Set(wordsIn(WORDS_ABOUT_LANGUAGES));

/** A sentence: fewer words are weak evidence. */
const SENTENCE_WORDS_MIN = 3;
/** Among longer ones, this share must be known in the other language, so that a quoted title or a name is none. */
const SHARE_KNOWN_MIN = 0.6;

/** Null if what was said may well be in the expected language. */
export function identifyLanguage(text: string, expected: string): IdentifiedLanguage | null {
  const own = codeOf(expected);
  const ownWords = WORDS.get(own);
  if (ownWords === undefined) return null;
  const said = wordsIn(text).filter((word) => !OF_NAMES.has(word));
  const found = [...WORDS].flatMap(([language, words]) => {
    if (language === own) return [];
    const known = said.filter((word) => words.has(word));
    const foreign = known.filter((word) => !ownWords.has(word));
    const against = said.filter((word) => ownWords.has(word) && !words.has(word));
    return [{ language, foreign, known: known.length, balance: foreign.length - against.length }];
  });
  const [best, second] = found.toSorted((one, other) => other.balance - one.balance || other.known - one.known);
  if (best === undefined || best.balance <= 0 || best.known < said.length * SHARE_KNOWN_MIN) return null;
  // Two languages that share all of these words cannot be told apart yet.
  const isCertain = second === undefined || best.balance > second.balance || best.known > second.known;
  const isAboutLanguage = best.foreign.some((word) => ABOUT_LANGUAGES.has(word));
  const isSentence = wordsIn(text).length >= (isAboutLanguage ? 2 : SENTENCE_WORDS_MIN);
  const isStrong = isCertain && isSentence && best.balance >= (isAboutLanguage ? 1 : 2);
  return { language: best.language, evidence: isStrong ? "strong" : "weak" };
}

export function codeOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "";
}

/** Words without accents, so that it does not matter how a recognizer writes them. "j'ai" is two. */
function wordsIn(text: string): string[] {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");
  const words = plain.match(/\p{L}+(?:['-]\p{L}+)*/gu) ?? [];
  return words.flatMap((word) => {
    const elided = /^((?:[cdjlmnst]|qu)')(.+)$/.exec(word);
    return elided === null ? [word] : [elided[1] ?? "", elided[2] ?? ""];
  });
}
