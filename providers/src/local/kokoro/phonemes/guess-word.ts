import { runFlite } from "../../flite/run-flite.ts";
import type { WasmModule } from "../../flite/web-assembly.ts";
import { isVowel } from "./arpabet.ts";
import type { GuessWord } from "./pronounce-word.ts";

/** Names repeat within a call and between calls; more of them than this do not. */
const REMEMBERED_MAX = 5_000;
const REDUCED = "AX";

/**
 * Guesses by Flite's rules from letters to sounds. It prints its phones when it is asked to; they are those of the CMU
 * dictionary but for the stress, which is put where English names mostly have it.
 */
export function createGuessWord(module: WasmModule): GuessWord {
  const remembered = new Map<string, string>();
  return (word) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const { messages } = runFlite(module, ["flite", "-voice", "kal", "-ps", "-t", word, "-o", "none"]);
    const guessed = stressed(messages.split(/\s+/).map((phone) => phone.toUpperCase()));
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(word, guessed);
    return guessed;
  };
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
