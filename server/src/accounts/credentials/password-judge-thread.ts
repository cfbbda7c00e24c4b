import { serveWorker } from "@parley/threads/serve";
import { type MatchExtended, ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";
import type { JudgeWork } from "./password-judge.ts";

// The library's highest score: an offline attack on a slow hash does not get there (about 10^10 guesses).
const GUESSES_MIN = 1e10;
// The time grows with the square of the length. A password whose beginning holds out holds out as a whole.
const JUDGED_CHARS_MAX = 64;
// How many ways to read lookalike characters are tried; 20 finds the usual ones and bounds the time of hostile input.
const LOOKALIKE_READINGS_MAX = 20;
const OWN_WORD_CHARS_MIN = 3;
// The shifted digit row of a US keyboard: `!QAZ2wsx` is the same walk as `1qaz2wsx`.
const UNSHIFTED: Readonly<Record<string, string>> = {
  "!": "1",
  "@": "2",
  "#": "3",
  $: "4",
  "%": "5",
  "^": "6",
  "&": "7",
  "*": "8",
  "(": "9",
  ")": "0",
};

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  l33tMaxSubstitutions: LOOKALIKE_READINGS_MAX,
  maxLength: JUDGED_CHARS_MAX,
});

serveWorker(({ password, ownWords }: JudgeWork) => findWeakness(password, ownWords));

/** Why a password is guessable, as a text, or null if it would take too many guesses. */
function findWeakness(password: string, ownWords: readonly string[]): string[] | null {
  // Accents make a word no harder to guess, and the dictionaries are written without them.
  const plain = password.normalize("NFKD").replaceAll(/\p{M}/gu, "").slice(0, JUDGED_CHARS_MAX);
  const own = ownWords.filter((word) => word.length >= OWN_WORD_CHARS_MIN);
  const unshifted = [...plain].map((char) => UNSHIFTED[char] ?? char.toLowerCase()).join("");
  for (const reading of unshifted === plain.toLowerCase() ? [plain] : [plain, unshifted]) {
    const { guesses, sequence } = estimator.check(reading, own);
    if (guesses < GUESSES_MIN) return [...new Set(sequence.flatMap(describeMatch))];
  }
  return null;
}

function describeMatch(match: MatchExtended): string[] {
  switch (match.pattern) {
    case "dictionary": {
      const disguise = match["l33t"] ? " with lookalike characters" : match["reversed"] ? " written backwards" : "";
      return [`${describeDictionary(String(match["dictionaryName"]))}${disguise}`];
    }
    case "spatial":
      return ["a row of keys"];
    case "repeat":
      return ["repeated characters"];
    case "sequence":
      return ["a run such as abc or 123"];
    case "wordSequence":
      return ["words that follow each other"];
    case "regex":
      return ["a year"];
    case "date":
      return ["a date"];
    default:
      return [];
  }
}

function describeDictionary(name: string): string {
  if (name === "userInputs") return "your e-mail address or name";
  if (name.startsWith("passwords")) return "a common password";
  return name.includes("names") ? "a common name" : "a common word";
}
