import type { SpokenPart } from "@parley/voice/ports/speech-notation";
import { type Accent, arpabetToSymbols, isVowel } from "./arpabet.ts";
import { ipaToSymbols } from "./ipa.ts";
import { type GuessWord, pronounceRespelling, pronounceWord, spellWord } from "./pronounce-word.ts";

export type Token = WordToken | { readonly mark: string };

export interface WordToken {
  readonly word: string;
  /** Given pronunciation: IPA between slashes or a respelling. */
  readonly spoken?: string;
  readonly hasEmphasis?: boolean;
}

/** Words with apostrophes and inner full stops, and the marks that Kokoro reads as melody. */
const TOKEN = /(?:\p{L}\.){2,}|\p{L}+(?:['’]\p{L}+)*['’]?|\.\.\.|[,;:.!?…—–()"“”]/gu;

/** Marks as the model knows them. A dash between words is a pause. */
const MARKS: Readonly<Record<string, string>> = { "...": "…", "–": "—", '"': "", "“": "", "”": "", "(": ",", ")": "," };

/** A clause as Kokoro reads it. The text is in words: numbers and signs were written out before. */
export function textToPhonemes(text: string, guess: GuessWord, accent: Accent = "american"): string {
  return partsToPhonemes([{ type: "text", text }], guess, accent);
}

/** A clause with given pronunciations and emphasis. */
export function partsToPhonemes(parts: readonly SpokenPart[], guess: GuessWord, accent: Accent = "american"): string {
  const tokens = parts.flatMap((part) => tokensOfPart(part));
  let phonemes = "";
  for (const [index, token] of tokens.entries()) {
    if ("mark" in token) phonemes = addMark(phonemes, token.mark);
    else phonemes += (phonemes === "" ? "" : " ") + symbolsOf(token, tokens, index, guess, accent);
  }
  return phonemes.replace(/^[\s,;:.!?…—]+/, "");
}

/** How many words of a text are spoken, each between spaces in its phonemes. */
export function countWords(text: string): number {
  return readTokens(text).filter((token) => "word" in token).length;
}

/** The words and marks of a part of a clause. */
export function tokensOfPart(part: SpokenPart, pattern: RegExp = TOKEN): Token[] {
  switch (part.type) {
    case "text":
      return readTokens(part.text, pattern);
    case "said_as":
      return [{ word: part.written, spoken: part.spoken, hasEmphasis: part.hasEmphasis }];
    case "emphasis":
      return readTokens(part.word, pattern).map((token) => ("word" in token ? { ...token, hasEmphasis: true } : token));
  }
}

function readTokens(text: string, pattern: RegExp = TOKEN): Token[] {
  return Array.from(text.matchAll(pattern), ([found]) =>
    /\p{L}/u.test(found) ? { word: found } : { mark: MARKS[found] ?? found },
  );
}

function symbolsOf(
  { word, spoken, hasEmphasis = false }: WordToken,
  tokens: readonly Token[],
  index: number,
  guess: GuessWord,
  accent: Accent,
): string {
  if (spoken?.startsWith("/")) return ipaToSymbols(spoken, accent);
  if (spoken !== undefined) {
    const words = spoken.split(/\s+/).map((each) => arpabetToSymbols(pronounceRespelling(each, guess), accent));
    return words.join(" ");
  }
  if (!hasEmphasis) return arpabetToSymbols(sayWord(tokens, index, guess), accent);
  return stressed(arpabetToSymbols(pronounceWord(word, guess), accent));
}

/** With a main stress, also on a small word. */
function stressed(symbols: string): string {
  if (symbols.includes("ˈ")) return symbols;
  return symbols.includes("ˌ") ? symbols.replace("ˌ", "ˈ") : symbols.replace(/[AIOQWYaiuæɑɒɔəɛɜɪʊʌ]/, "ˈ$&");
}

/** Of consecutive marks, the strongest is enough; the first one stays a question if it is one. */
export function addMark(phonemes: string, mark: string): string {
  if (mark === "" || phonemes === "") return phonemes;
  const last = phonemes.at(-1) ?? "";
  if (/[.!?]/.test(last)) return phonemes;
  return /[,;:…—]/.test(last) ? phonemes.slice(0, -1) + mark : phonemes + mark;
}

function sayWord(tokens: readonly Token[], index: number, guess: GuessWord): string {
  const word = wordAt(tokens, index) ?? "";
  const before = wordAt(tokens, index - 1);
  const after = wordAt(tokens, index + 1);
  if (isLetter(word, before, after)) return spellWord(word.toLowerCase(), guess);
  const plain = word.toLowerCase().replaceAll("’", "'");
  const next = after === null ? null : { beginsWithVowel: isVowel(pronounceWord(after, guess).split(" ")[0] ?? "") };
  const isShouted = /^[A-Z]{2,}$/.test(word);
  return (
    (isShouted ? null : weakForm(plain, next)) ??
    heteronymAfter(plain, before?.toLowerCase() ?? null) ??
    pronounceWord(word, guess)
  );
}

/** A single capital letter is that letter, except "I" and an "A" that begins a sentence. */
function isLetter(word: string, before: string | null, after: string | null): boolean {
  if (!/^[A-Z]$/.test(word) || word === "I") return false;
  const isAlone = (other: string | null) => other !== null && /^[A-Z]$/.test(other);
  return word !== "A" || isAlone(after) || before !== null;
}

function wordAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  return token !== undefined && "word" in token ? token.word : null;
}

interface Heteronym {
  /** As a thing, or as what something is like. */
  readonly noun: string;
  /** As what someone does. */
  readonly verb: string;
}

/** Words that are spelled alike and said differently, as they occur on the telephone. */
const HETERONYMS: Readonly<Record<string, Heteronym>> = {
  close: { noun: "K L OW1 S", verb: "K L OW1 Z" },
  conduct: { noun: "K AA1 N D AH0 K T", verb: "K AH0 N D AH1 K T" },
  content: { noun: "K AA1 N T EH0 N T", verb: "K AH0 N T EH1 N T" },
  contract: { noun: "K AA1 N T R AE2 K T", verb: "K AH0 N T R AE1 K T" },
  estimate: { noun: "EH1 S T AH0 M AH0 T", verb: "EH1 S T AH0 M EY2 T" },
  excuse: { noun: "IH0 K S K Y UW1 S", verb: "IH0 K S K Y UW1 Z" },
  increase: { noun: "IH1 N K R IY2 S", verb: "IH0 N K R IY1 S" },
  lead: { noun: "L IY1 D", verb: "L IY1 D" },
  live: { noun: "L AY1 V", verb: "L IH1 V" },
  minute: { noun: "M IH1 N AH0 T", verb: "M IH1 N AH0 T" },
  object: { noun: "AA1 B JH EH0 K T", verb: "AH0 B JH EH1 K T" },
  permit: { noun: "P ER1 M IH2 T", verb: "P ER0 M IH1 T" },
  present: { noun: "P R EH1 Z AH0 N T", verb: "P R IY0 Z EH1 N T" },
  project: { noun: "P R AA1 JH EH0 K T", verb: "P R AH0 JH EH1 K T" },
  read: { noun: "R EH1 D", verb: "R IY1 D" },
  record: { noun: "R EH1 K ER0 D", verb: "R AH0 K AO1 R D" },
  refund: { noun: "R IY1 F AH0 N D", verb: "R IH0 F AH1 N D" },
  refuse: { noun: "R EH1 F Y UW2 Z", verb: "R AH0 F Y UW1 Z" },
  separate: { noun: "S EH1 P ER0 AH0 T", verb: "S EH1 P ER0 EY2 T" },
  subject: { noun: "S AH1 B JH IH0 K T", verb: "S AH0 B JH EH1 K T" },
  use: { noun: "Y UW1 S", verb: "Y UW1 Z" },
  wind: { noun: "W IH1 N D", verb: "W AY1 N D" },
};

/** After these a verb follows: "to record", "please confirm". */
const BEFORE_VERBS = new Set(
  "to will would can could shall should may might must please do does did not don't didn't i you we they who let's and".split(
    " ",
  ),
);

/** Pronounced as the words before it suggest; null when there is only one pronunciation. */
function heteronymAfter(word: string, before: string | null): string | null {
  if (!Object.hasOwn(HETERONYMS, word)) return null;
  const known = HETERONYMS[word];
  if (known === undefined) return null;
  // A sentence that begins with such a word is a request: "Use the keys of your phone."
  return before === null || BEFORE_VERBS.has(before) ? known.verb : known.noun;
}

/** Small words, which people say without stress. In the phones of the CMU dictionary. */
const WEAK_WORDS: Readonly<Record<string, string>> = {
  a: "AH0",
  am: "AE0 M",
  an: "AH0 N",
  and: "AE0 N D",
  are: "AA0 R",
  as: "AE0 Z",
  at: "AE0 T",
  be: "B IY0",
  been: "B IH0 N",
  but: "B AH0 T",
  by: "B AY0",
  can: "K AE0 N",
  could: "K UH0 D",
  do: "D UW0",
  for: "F AO0 R",
  from: "F R AH0 M",
  had: "HH AE0 D",
  has: "HH AE0 Z",
  have: "HH AE0 V",
  he: "HH IY0",
  her: "HH ER0",
  him: "HH IH0 M",
  his: "HH IH0 Z",
  if: "IH0 F",
  in: "IH0 N",
  is: "IH0 Z",
  it: "IH0 T",
  my: "M AY0",
  of: "AH0 V",
  on: "AA0 N",
  or: "AO0 R",
  our: "AW0 ER0",
  she: "SH IY0",
  so: "S OW0",
  some: "S AH0 M",
  than: "DH AE0 N",
  that: "DH AE0 T",
  the: "DH AH0",
  them: "DH EH0 M",
  they: "DH EY0",
  this: "DH IH0 S",
  to: "T AH0",
  was: "W AH0 Z",
  we: "W IY0",
  were: "W ER0",
  will: "W IH0 L",
  with: "W IH0 DH",
  would: "W UH0 D",
  you: "Y UW0",
  your: "Y AO0 R",
};

/** Before a vowel these are said in full: "the end", "to ask". */
const BEFORE_VOWELS: Readonly<Record<string, string>> = { the: "DH IY0", to: "T UW0" };

/** At the end of a phrase, or alone, a small word is said in full, and the dictionary knows how. */
function weakForm(word: string, next: { readonly beginsWithVowel: boolean } | null): string | null {
  if (next === null || !Object.hasOwn(WEAK_WORDS, word)) return null;
  return (next.beginsWithVowel ? BEFORE_VOWELS[word] : undefined) ?? WEAK_WORDS[word] ?? null;
}
