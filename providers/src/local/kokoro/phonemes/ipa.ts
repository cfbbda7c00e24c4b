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

/** IPA between slashes in Kokoro's symbols. */
export function ipaToSymbols(ipa: string, accent: Accent = "american"): string {
  let symbols = ipa
    .replace(/^\/|\/$/g, "")
    .normalize("NFC")
    .replace(TIES, "")
    .trim()
    .replace(/\s+/g, " ");
  for (const [from, to] of [...REPLACEMENTS, ...(accent === "american" ? AMERICAN : [])]) {
    symbols = symbols.replaceAll(from, to);
  }
  // A word is said with a stress somewhere; without one it sounds swallowed.
  return symbols
    .split(" ")
    .map((word) => (/[ˈˌ]/.test(word) ? word : `ˈ${word}`))
    .join(" ");
}
