import { createRequire } from "node:module";
import { LRUCache } from "lru-cache";
import { runFlite } from "../../flite/flite-module.ts";
import type { WasmModule } from "../../flite/memory-system.ts";
import { isVowel } from "./arpabet.ts";
import type { LetterModel } from "./letter-model.ts";

type Dictionary = Readonly<Record<string, string>>;
const require = createRequire(import.meta.url);
let loaded: Dictionary | null = null;

/** Loaded with the first word: it takes a third of a second and 30 MB, and most processes speak no word. */
function dictionary(): Dictionary {
  loaded ??= (require("cmu-pronouncing-dictionary") as { readonly dictionary: Dictionary }).dictionary;
  return loaded;
}

/** Returns the pronunciation of a word that is in no dictionary, in the phones of the CMU dictionary with stress. */
export type GuessWord = (word: string) => string;

/** Said as a word although it is written in capitals and short. */
const CAPITAL_WORDS = new Set(["ok", "asap"]);
const INITIALISM_MAX = 5;

/** How one word is said, in phones with stress. The word may have capitals, apostrophes and full stops in it. */
export function pronounceWord(word: string, guess: GuessWord): string {
  const plain = word.toLowerCase().replaceAll("’", "'");
  if (isSpelled(word)) return spellWord(plain, guess);
  return lookUp(plain) ?? lookUp(plain.replaceAll("'", "")) ?? inflected(plain, guess) ?? guess(plain);
}

/**
 * A word as someone wrote down how it is said: "shi-VAWN". Syllables are joined by dashes; one in capitals has the stress,
 * otherwise the first.
 */
export function pronounceRespelling(word: string, guess: GuessWord): string {
  const syllables = word.split("-").filter((syllable) => /\p{L}/u.test(syllable));
  const [only] = syllables;
  if (only !== undefined && syllables.length === 1) return pronounceWord(only.toLowerCase(), guess);
  const isStressed = (syllable: string) => syllable.length > 0 && syllable === syllable.toUpperCase();
  const at = Math.max(0, syllables.findIndex(isStressed));
  return syllables
    .map((syllable, index) => {
      const phones = pronounceWord(syllable.toLowerCase(), guess).split(" ");
      const main = phones.findIndex(isVowel);
      return phones
        .map((phone, place) =>
          isVowel(phone) ? phone.replace(/\d$/, "") + stressOf(index === at, place === main) : phone,
        )
        .join(" ");
    })
    .join(" ");
}

function stressOf(isMainSyllable: boolean, isMainVowel: boolean): string {
  if (!isMainVowel) return "0";
  return isMainSyllable ? "1" : "2";
}

/** The names of the letters, the last of them with the stress, as in "USA". */
export function spellWord(letters: string, guess: GuessWord): string {
  const names = [...letters.replaceAll(/[^a-z]/g, "")].map((letter) => letterName(letter) ?? guess(letter));
  return names.map((name, index) => (index < names.length - 1 ? name.replaceAll("1", "2") : name)).join(" ");
}

function isSpelled(word: string): boolean {
  if (/^(?:\p{L}\.){2,}\p{L}?\.?$/u.test(word)) return true;
  if (!/^[A-Z]{2,}$/.test(word) || CAPITAL_WORDS.has(word.toLowerCase())) return false;
  if (word.length > INITIALISM_MAX) return false;
  // NASA and HIPAA can be said as words; FBI cannot, and "IT" is not "it".
  return word.length <= 3 || !/[AEIOU]/.test(word) || lookUp(word.toLowerCase()) === null;
}

function letterName(letter: string): string | null {
  return letter === "a" ? "EY1" : lookUp(letter);
}

function lookUp(word: string): string | null {
  if (Object.hasOwn(NAMES, word)) return NAMES[word] ?? null;
  return Object.hasOwn(dictionary(), word) ? (dictionary()[word] ?? null) : null;
}

/** "Kowalczyk's" and "parcels" that the dictionary has without the ending. */
function inflected(word: string, guess: GuessWord): string | null {
  const [, stem = "", ending = ""] = /^(.+?)('s|s'|s|ed|ing|ly)$/.exec(word) ?? [];
  if (stem.length < 2) return null;
  const isOwned = ending.includes("'");
  const known = lookUp(stem) ?? (isOwned ? guess(stem) : null);
  if (known === null) return null;
  const last = known.split(" ").at(-1) ?? "";
  if (ending === "ed") return `${known} ${/^[TD]$/.test(last) ? "IH0 D" : isVoiceless(last) ? "T" : "D"}`;
  if (ending === "ing") return `${known} IH0 NG`;
  if (ending === "ly") return `${known} L IY0`;
  return `${known} ${/^(?:S|Z|SH|ZH|CH|JH)$/.test(last) ? "IH0 Z" : isVoiceless(last) ? "S" : "Z"}`;
}

function isVoiceless(phone: string): boolean {
  return !isVowel(phone) && /^(?:P|T|K|F|TH|S|SH|CH)$/.test(phone);
}

/** Names repeat within a call and between calls; more of them than this do not. */
const GUESSES_MAX = 5_000;
const REDUCED = "AX";

/**
 * Guesses by the trained model. Without it, and for what it cannot read, by Flite's rules from letters to sounds: Flite prints its phones on request; they
 * are those of the CMU dictionary without the stress, which is put where English names usually have it.
 */
export function createGuessWord(module: WasmModule, letters: LetterModel | null): GuessWord {
  const guesses = new LRUCache<string, string>({ max: GUESSES_MAX });
  return (word) => {
    const known = guesses.get(word);
    if (known !== undefined) return known;
    const guessed = letters?.pronounce(word) ?? guessByRules(module, word);
    guesses.set(word, guessed);
    return guessed;
  };
}

function guessByRules(module: WasmModule, word: string): string {
  const { messages } = runFlite(module, ["flite", "-voice", "kal", "-ps", "-t", word, "-o", "none"]);
  return stressed(messages.split(/\s+/).map((phone) => phone.toUpperCase()));
}

/** The first full vowel of two, the last but one of more. */
function stressed(printed: readonly string[]): string {
  const phones = printed.filter((phone) => phone === REDUCED || phone === "AH" || isKnown(phone));
  const full = phones.flatMap((phone, index) => (isVowel(phone) ? [index] : []));
  const vowels = phones.filter((phone) => phone === REDUCED || isVowel(phone)).length;
  const at = full.length > 2 && vowels > 2 ? full.at(-2) : full[0];
  return phones
    .map((phone, index) => (phone === REDUCED ? "AH0" : isVowel(phone) ? `${phone}${index === at ? "1" : "0"}` : phone))
    .join(" ");
}

function isKnown(phone: string): boolean {
  return isVowel(phone) || /^(?:B|CH|D|DH|F|G|HH|JH|K|L|M|N|NG|P|R|S|SH|T|TH|V|W|Y|Z|ZH)$/.test(phone);
}

/**
 * First names and surnames that are common in English-speaking countries and that the CMU dictionary has not, or has wrong, and whose spelling does not
 * say how they are pronounced. As English speakers say them; a customer's list of pronunciations comes first.
 */
const NAMES: Readonly<Record<string, string>> = {
  aisling: "AE1 SH L IH0 NG",
  anais: "AA0 N AA0 IY1 S",
  aoife: "IY1 F AH0",
  beyonce: "B IY0 AA1 N S EY2",
  bronagh: "B R OW1 N AH0",
  cadhla: "K AY1 L AH0",
  caoimhe: "K IY1 V AH0",
  chiamaka: "CH IY2 AH0 M AA1 K AH0",
  chidi: "CH IY1 D IY0",
  chimamanda: "CH IH2 M AH0 M AA1 N D AH0",
  ciara: "K IH1 R AH0",
  cian: "K IY1 AH0 N",
  eilidh: "EY1 L IY0",
  eoghan: "OW1 AH0 N",
  eoin: "OW1 IH0 N",
  fionnuala: "F IH0 N UW1 L AH0",
  gbenga: "B EH1 NG G AH0",
  grainne: "G R AO1 N Y AH0",
  hyun: "HH Y AH1 N",
  ifeoma: "IH0 F EY0 OW1 M AH0",
  isla: "AY1 L AH0",
  jaime: "HH AY1 M EY0",
  jiang: "JH Y AA1 NG",
  joao: "ZH UW0 AW1",
  jorge: "HH AO1 R HH EY0",
  kaoru: "K AA1 OW0 R UW0",
  laoise: "L IY1 SH AH0",
  maeve: "M EY1 V",
  mairead: "M AH0 R EY1 D",
  maoliosa: "M W IY2 L IY1 S AH0",
  mhairi: "V AA1 R IY0",
  muireann: "M W IH1 R IH0 N",
  ngozi: "NG G OW1 Z IY0",
  nguyen: "W IH1 N",
  niamh: "N IY1 V",
  oisin: "AH0 SH IY1 N",
  oluwaseun: "OW0 L UW2 W AH0 SH EY1 UW0 N",
  orlaith: "AO1 R L AH0",
  padraig: "P AA1 D R IH0 G",
  phuong: "F UW1 NG",
  quynh: "K W IH1 N",
  rhys: "R IY1 S",
  roisin: "R OW0 SH IY1 N",
  ruairi: "R AO1 R IY0",
  sadhbh: "S AY1 V",
  saoirse: "S ER1 SH AH0",
  seamus: "SH EY1 M AH0 S",
  sinead: "SH IH0 N EY1 D",
  siobhan: "SH IH0 V AO1 N",
  sorcha: "S AO1 R AH0 K AH0",
  tadhg: "T AY1 G",
  tsvetelina: "T S V EH2 T AH0 L IY1 N AH0",
  ximena: "HH IH0 M EY1 N AH0",
  xiomara: "S IY2 OW0 M AA1 R AH0",
  xochitl: "S OW1 CH IY0 L",
  zhang: "JH AA1 NG",
  zheng: "JH AH1 NG",
  zhou: "JH OW1",
  zsofia: "ZH OW1 F IY0 AH0",
};
