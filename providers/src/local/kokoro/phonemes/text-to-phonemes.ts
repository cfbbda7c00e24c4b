import { type Accent, arpabetToSymbols, isVowel } from "./arpabet.ts";
import { heteronymAfter } from "./heteronyms.ts";
import { type GuessWord, pronounceWord, spellWord } from "./pronounce-word.ts";
import { weakForm } from "./weak-words.ts";

type Token = { readonly word: string } | { readonly mark: string };

/** Words with apostrophes and inner full stops, and the marks that Kokoro reads as melody. */
const TOKEN = /(?:\p{L}\.){2,}|\p{L}+(?:['’]\p{L}+)*['’]?|\.\.\.|[,;:.!?…—–()"“”]/gu;

/** Marks as the model knows them. A dash between words is a pause. */
const MARKS: Readonly<Record<string, string>> = { "...": "…", "–": "—", '"': "", "“": "", "”": "", "(": ",", ")": "," };

/** A clause as Kokoro reads it. The text is in words: numbers and signs were written out before. */
export function textToPhonemes(text: string, guess: GuessWord, accent: Accent = "american"): string {
  const tokens = readTokens(text);
  let phonemes = "";
  for (const [index, token] of tokens.entries()) {
    if ("mark" in token) phonemes = addMark(phonemes, token.mark);
    else phonemes += (phonemes === "" ? "" : " ") + arpabetToSymbols(sayWord(tokens, index, guess), accent);
  }
  return phonemes.replace(/^[\s,;:.!?…—]+/, "");
}

function readTokens(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN), ([found]) =>
    /\p{L}/u.test(found) ? { word: found } : { mark: MARKS[found] ?? found },
  );
}

/** Of marks in a row, the strongest is enough; the first one stays a question when it is one. */
function addMark(phonemes: string, mark: string): string {
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

/** A capital letter alone is that letter, but for "I" and for an "A" that begins a sentence. */
function isLetter(word: string, before: string | null, after: string | null): boolean {
  if (!/^[A-Z]$/.test(word) || word === "I") return false;
  const isAlone = (other: string | null) => other !== null && /^[A-Z]$/.test(other);
  return word !== "A" || isAlone(after) || before !== null;
}

function wordAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  return token !== undefined && "word" in token ? token.word : null;
}
