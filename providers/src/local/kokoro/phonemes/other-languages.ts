import type { SpokenPart } from "@parley/voice/ports/speech-notation";
import { ipaToSymbols } from "./ipa.ts";
import { FRENCH } from "./languages/french.ts";
import { ITALIAN } from "./languages/italian.ts";
import type { JoinedWord, PronunciationRules } from "./languages/letter-rules.ts";
import { PORTUGUESE } from "./languages/portuguese.ts";
import { SPANISH } from "./languages/spanish.ts";
import { addMark, type Token, tokensOfPart, type WordToken } from "./text-to-phonemes.ts";

/** By the primary subtag of the language. English has a dictionary instead: `text-to-phonemes.ts`. */
const RULES: Readonly<Record<string, PronunciationRules>> = { es: SPANISH, fr: FRENCH, it: ITALIAN, pt: PORTUGUESE };

/** Words with their hyphens and apostrophes, initials, and the marks that Kokoro reads as melody. */
const TOKEN = /(?:\p{L}\.){2,}|\p{L}+(?:['’-]\p{L}+)*['’]?|\.\.\.|[,;:.!?…—–()]/gu;
const VOWELS = /[aeiouyøœɛɔɑɐæʊAIW]/;

/** A clause in a language with rules, as Kokoro reads it. The text is in words: numbers and signs were written out before. */
export function partsToPhonemesIn(language: string, parts: readonly SpokenPart[]): string {
  const rules = rulesOf(language);
  const tokens = parts.flatMap((part) => tokensOfPart(composed(part), TOKEN));
  let phonemes = "";
  let phrase: JoinedWord[] = [];
  const endPhrase = () => {
    for (const word of rules.join(phrase)) phonemes += (phonemes === "" ? "" : " ") + word;
    phrase = [];
  };
  for (const [index, token] of tokens.entries()) {
    if ("mark" in token) {
      endPhrase();
      phonemes = addMark(phonemes, token.mark);
    } else {
      phrase.push(say(token, isLast(tokens, index), rules));
    }
  }
  endPhrase();
  return phonemes.replace(/^[\s,;:.!?…—]+/, "");
}

/** How many words of a text are spoken, each between spaces in its phonemes. */
export function countWordsIn(text: string): number {
  return Array.from(text.matchAll(TOKEN)).filter(([found]) => /\p{L}/u.test(found)).length;
}

/** Whether a text has letters that the rules read. */
export function isReadable(text: string): boolean {
  return /\p{Script=Latin}/u.test(text);
}

function rulesOf(language: string): PronunciationRules {
  const rules = RULES[language];
  if (rules === undefined) throw new Error(`there are no rules for ${language}`);
  return rules;
}

/** One character for each letter with its accent, and plain hyphens. */
function composed(part: SpokenPart): SpokenPart {
  const clean = (text: string) => text.normalize("NFC").replace(/[‐‑]/g, "-");
  if (part.type === "text") return { ...part, text: clean(part.text) };
  return part.type === "emphasis" ? { ...part, word: clean(part.word) } : part;
}

function isLast(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1];
  return next === undefined || "mark" in next;
}

function say(
  { word, spoken, hasEmphasis = false }: WordToken,
  isLastOfPhrase: boolean,
  rules: PronunciationRules,
): JoinedWord {
  if (spoken?.startsWith("/")) return { written: null, symbols: ipaToSymbols(spoken, "other") };
  if (spoken !== undefined)
    return {
      written: null,
      symbols: spoken
        .split(/\s+/)
        .map((each) => respelled(each, rules))
        .join(" "),
    };
  const plain = word.toLowerCase().replaceAll("’", "'");
  if (isSpelled(word)) return { written: null, symbols: spell(plain, rules) };
  const symbols = rules.pronounce(plain);
  const isWeak = !hasEmphasis && !isLastOfPhrase && rules.weakWords.has(plain);
  return { written: plain, symbols: isWeak ? symbols.replace(/[ˈˌ]/g, "") : symbols };
}

/** Initials, single consonants, and capitals that cannot be said as a word: "DNI", but not "IVA". */
function isSpelled(word: string): boolean {
  if (/^(?:\p{L}\.){2,}$/u.test(word) || /^[B-DF-HJ-NP-TV-Z]$/.test(word)) return true;
  if (!/^[A-Z]{2,5}$/.test(word)) return false;
  return word.length === 2 || !/^[^AEIOU]?(?:[AEIOU]+[^AEIOU]?)+$/.test(word);
}

/** The names of the letters, the last of them with the stress. */
function spell(letters: string, rules: PronunciationRules): string {
  return Array.from(letters.matchAll(/\p{L}/gu), ([letter]) =>
    (rules.letterNames[letter] ?? letter).split(" ").map(rules.pronounce).join(""),
  )
    .join("")
    .replace(/ˈ(?=.*ˈ)/g, "ˌ");
}

/** A word as someone wrote down how it is said: "shi-VON". The syllable in capitals has the stress. */
function respelled(word: string, rules: PronunciationRules): string {
  const syllables = word.split("-").filter((syllable) => /\p{L}/u.test(syllable));
  if (syllables.length < 2) return rules.pronounce(word.toLowerCase());
  const loud = Math.max(
    0,
    syllables.findIndex((syllable) => !/\p{Ll}/u.test(syllable)),
  );
  return syllables
    .map((syllable, index) => {
      const symbols = rules.pronounce(syllable.toLowerCase()).replace(/[ˈˌ]/g, "");
      return index === loud ? symbols.replace(VOWELS, "ˈ$&") : symbols;
    })
    .join("");
}
