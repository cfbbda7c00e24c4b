import { invalidField } from "@parley/contract/errors";
import { COMMON_RUNS, COMMON_WORDS } from "./common-words.ts";

// What people write instead of letters. Only applied when looking for words.
const LOOKALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};
const RUN_CHARS_MIN = 4;
const OWN_PART_CHARS_MIN = 4;
const LETTERS_OF_ONES_OWN_MIN = 3;
const DISTINCT_CHARS_MIN = 5;
const REPEATED_UNIT_CHARS_MAX = 8;

/** Throws 422 when a password would be among the first that anyone tries. Its length is the contract's concern. */
export function refuseGuessablePassword(param: string, password: string, email: string | null): void {
  const fault = findFault(password.normalize("NFKC").toLowerCase(), email);
  if (fault) throw invalidField(param, "too_common", `${param} ${fault}.`);
}

function findFault(password: string, email: string | null): string | null {
  if (new Set(password).size < DISTINCT_CHARS_MIN || isRepetition(password))
    return "must not repeat the same characters";
  const own = partsOfEmail(email);
  if (own.some((part) => password === part)) return "must not be your e-mail address";
  if (isMadeOf(password, own)) return "must not be made of common words, runs of keys or your e-mail address";
  return null;
}

/** The same few characters over and over: "abcabcabcabc", "passwordpassword". */
function isRepetition(password: string): boolean {
  for (let unit = 1; unit <= Math.min(REPEATED_UNIT_CHARS_MAX, password.length / 2); unit += 1) {
    const again = password.slice(0, unit).repeat(Math.ceil(password.length / unit));
    if (again.startsWith(password)) return true;
  }
  return false;
}

function partsOfEmail(email: string | null): string[] {
  if (!email) return [];
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const parts = [email.toLowerCase(), local, domain, ...local.split(/[^\p{L}\p{N}]+/u), ...domain.split(".")];
  return parts.filter((part) => part.length >= OWN_PART_CHARS_MIN);
}

/**
 * Takes away runs, common words and parts of the e-mail. If that leaves hardly a letter, digits and signs around them
 * were only decoration. A password that had nothing taken away is not judged by what it is made of.
 */
function isMadeOf(password: string, own: readonly string[]): boolean {
  const withoutRuns = takeRuns(password);
  return [withoutRuns, unmask(withoutRuns)].some((text) => {
    const rest = takeWords(text, own);
    const letters = rest.replaceAll(/[^\p{L}]/gu, "").length;
    return rest !== unmask(password) && rest !== password && letters < LETTERS_OF_ONES_OWN_MIN && !hasLongNumber(rest);
  });
}

/** Digits that are no run and no year are worth something when there are enough of them. */
function hasLongNumber(text: string): boolean {
  return text.replaceAll(/\D/g, "").length >= 9;
}

function takeWords(text: string, own: readonly string[]): string {
  const words = [...own, ...COMMON_WORDS].sort((a, b) => b.length - a.length);
  return words.reduce((rest, word) => rest.replaceAll(word, " "), text);
}

function takeRuns(text: string): string {
  let rest = "";
  for (let at = 0; at < text.length; ) {
    const chars = runLengthAt(text, at);
    rest += chars >= RUN_CHARS_MIN ? " " : text.charAt(at);
    at += chars >= RUN_CHARS_MIN ? chars : 1;
  }
  return rest;
}

function runLengthAt(text: string, at: number): number {
  let best = 0;
  for (const run of RUNS_BOTH_WAYS) {
    let chars = RUN_CHARS_MIN;
    while (at + chars <= text.length && run.includes(text.slice(at, at + chars))) {
      best = Math.max(best, chars);
      chars += 1;
    }
  }
  return best;
}

function unmask(text: string): string {
  return [...text].map((char) => LOOKALIKES[char] ?? char).join("");
}

const RUNS_BOTH_WAYS = COMMON_RUNS.flatMap((run) => [run, [...run].reverse().join("")]);
