import type { Accent } from "./arpabet.ts";

/** Sounds that Kokoro writes as one symbol, and others by the nearest that it was taught for English. Longest first. */
const REPLACEMENTS: readonly (readonly [ipa: string, symbols: string])[] = [
  ["tʃ", "ʧ"],
  ["dʒ", "ʤ"],
  ["ts", "ʦ"],
  ["aɪ", "I"],
  ["eɪ", "A"],
  ["aʊ", "W"],
  ["ɔɪ", "Y"],
  ["ɔʏ", "Y"],
  ["oʊ", "O"],
  ["əʊ", "Q"],
  ["ɝ", "ɜɹ"],
  ["ɚ", "əɹ"],
  ["r", "ɹ"],
  ["ʀ", "ʁ"],
  ["g", "ɡ"],
  ["ɫ", "l"],
  ["ɱ", "m"],
  ["ɦ", "h"],
  ["ʉ", "u"],
  ["ʏ", "y"],
  ["ʑ", "ʒ"],
  ["ʐ", "ʒ"],
  ["ˑ", ""],
  ["'", "ˈ"],
  [".", ""],
];

const TIES = /[\u0329\u032f\u0361]/g;
/** "e" and "o" alone are heard as English diphthongs, which is how English speakers say foreign names. */
const AMERICAN: readonly (readonly [ipa: string, symbols: string])[] = [
  ["Q", "O"],
  ["e", "A"],
  ["o", "O"],
  ["ː", ""],
];

/** These are written with English in mind; other languages have the sounds themselves. */
const ENGLISH_ONLY = new Set(["r", "ts", "əʊ", "oʊ"]);

/** IPA between slashes in Kokoro's symbols, as an accent of English has them, or another language. */
export function ipaToSymbols(ipa: string, accent: Accent | "other" = "american"): string {
  let symbols = ipa
    .replace(/^\/|\/$/g, "")
    .normalize("NFC")
    .replace(TIES, "")
    .trim()
    .replace(/\s+/g, " ");
  const general = accent === "other" ? REPLACEMENTS.filter(([from]) => !ENGLISH_ONLY.has(from)) : REPLACEMENTS;
  for (const [from, to] of [...general, ...(accent === "american" ? AMERICAN : [])]) {
    symbols = symbols.replaceAll(from, to);
  }
  // Kokoro writes the tilde of a nasal vowel apart.
  symbols = symbols.replace(/[ãẽĩõũ]/g, (vowel) => vowel.normalize("NFD"));
  // A word is said with a stress somewhere; without one it sounds swallowed.
  return symbols
    .split(" ")
    .map((word) => (/[ˈˌ]/.test(word) ? word : `ˈ${word}`))
    .join(" ");
}
