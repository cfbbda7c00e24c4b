import { certain, type Reading } from "./found.ts";
import { isZero, readSmall, teenOf, tensOf, unitOf } from "./small-numbers.ts";
import { isJoined, type Word } from "./words.ts";

const REPEATS: Readonly<Record<string, number>> = { double: 2, triple: 3, treble: 3 };

/** "two fives" is 55. */
const PLURALS: ReadonlyMap<string, string> = new Map(
  "zeros ones twos threes fours fives sixes sevens eights nines".split(" ").map((word, digit) => [word, String(digit)]),
);

/** What is said between digits and means nothing. */
const FILLERS = new Set(["uh", "um", "er", "erm", "dash", "hyphen", "then", "and", "space", "comma"]);

/** What digits are misrecognized as between other digits. Elsewhere these are words. */
const SOUND_ALIKES: Readonly<Record<string, string>> = { to: "2", too: "2", for: "4", fore: "4", ate: "8", won: "1" };

/** A higher number of readings is never intended. */
const OTHERS_MAX = 7;

/**
 * Digits as people dictate them: "four one five", "double four", "oh", in pairs ("twenty-five") and in hundreds, with
 * any pauses. "twenty-five" may also be 20 and 5, which is an alternative.
 */
export function readDigits(words: readonly Word[], at: number): Reading<string> | null {
  let readings = [""];
  let next = at;
  for (;;) {
    const from = next === at ? at : skipFillers(words, next);
    const element = readElement(words, from) ?? (next === at ? null : readSoundAlike(words, from));
    if (element === null) break;
    const choices = [element.value, ...element.others];
    readings = choices.flatMap((digits) => readings.map((before) => before + digits)).slice(0, OTHERS_MAX + 1);
    next = element.next;
  }
  const [value = "", ...others] = readings;
  return value === "" ? null : { value, others, next };
}

function skipFillers(words: readonly Word[], at: number): number {
  let next = at;
  while (FILLERS.has(words[next]?.text ?? "")) next += 1;
  return next;
}

function readElement(words: readonly Word[], at: number): Reading<string> | null {
  const word = words[at];
  if (word === undefined) return null;
  if (/^\d+(?:[,.:]\d+)*$/.test(word.text)) return certain(word.text.replace(/\D/g, ""), at + 1);
  const times = REPEATS[word.text];
  if (times !== undefined) {
    const digit = digitOf(words[at + 1]);
    return digit === null ? null : certain(digit.repeat(times), at + 2);
  }
  if (isZero(word)) return certain("0", at + 1);
  const repeated = unitOf(word);
  const plural = isJoined(words[at + 1]) ? PLURALS.get(words[at + 1]?.text ?? "") : undefined;
  if (repeated !== null && plural !== undefined) return certain(plural.repeat(repeated), at + 2);
  return readHundreds(words, at) ?? readPair(words, at);
}

function digitOf(word: Word | undefined): string | null {
  if (isZero(word)) return "0";
  const unit = unitOf(word);
  return unit === null ? (/^\d$/.exec(word?.text ?? "")?.[0] ?? null) : String(unit);
}

/** "eight hundred" is 800, "two thousand" 2000, "eight hundred fifteen" 815 or 80015. */
function readHundreds(words: readonly Word[], at: number): Reading<string> | null {
  const count = readSmall(words, at);
  const round = count === null || !isJoined(words[count.next]) ? undefined : words[count.next]?.text;
  if (count === null || (round !== "hundred" && round !== "thousand")) return null;
  const zeros = round === "hundred" ? "00" : "000";
  const next = count.next + 1;
  const rest = isJoined(words[next]) ? readSmall(words, words[next]?.text === "and" ? next + 1 : next) : null;
  if (rest === null || (rest.value < 10 && words[next]?.text !== "and")) return certain(`${count.value}${zeros}`, next);
  const sum = `${count.value}${String(rest.value).padStart(zeros.length, "0")}`;
  return { value: sum, others: [`${count.value}${zeros}${rest.value}`], next: rest.next };
}

/** A digit, or two of them said as one number. */
function readPair(words: readonly Word[], at: number): Reading<string> | null {
  const single = unitOf(words[at]) ?? teenOf(words[at]);
  if (single !== null) return certain(String(single), at + 1);
  const tens = tensOf(words[at]);
  if (tens === null) return null;
  const unit = isJoined(words[at + 1]) ? unitOf(words[at + 1]) : null;
  if (unit === null) return certain(String(tens), at + 1);
  return { value: String(tens + unit), others: [`${tens}${unit}`], next: at + 2 };
}

function readSoundAlike(words: readonly Word[], at: number): Reading<string> | null {
  const digit = SOUND_ALIKES[words[at]?.text ?? ""];
  if (digit === undefined) return null;
  return readElement(words, skipFillers(words, at + 1)) === null ? null : certain(digit, at + 1);
}
