import { type Found, foundAt, type Reading } from "./found.ts";
import { readLetter, type SpelledPart } from "./read-letter.ts";
import { type Word, wordsOf } from "./words.ts";

/** A higher number of readings is never intended. */
const OTHERS_MAX = 7;

/**
 * The longest spelled sequence of letters: "s m i t h", "S-M-I-T-H", "b as in bravo", "alpha one two". In upper
 * case, with the digits and dashes between them.
 */
export function findSpelling(text: string): Found<string> | null {
  const words = wordsOf(text);
  let best: { at: number; reading: Reading<string> } | null = null;
  for (let at = 0; at < words.length; ) {
    const reading = readSpelling(words, at);
    if (reading !== null && reading.value.length > (best?.reading.value.length ?? 0)) best = { at, reading };
    at = reading?.next ?? at + 1;
  }
  return best === null ? null : foundAt(words, best.at, best.reading);
}

/** A sequence in which most letters are certain: "see you" is not spelled, and "c o are" may be. */
function readSpelling(words: readonly Word[], at: number): Reading<string> | null {
  const parts: Reading<SpelledPart>[] = [];
  let next = at;
  for (;;) {
    const part = readLetter(words, next);
    if (part === null) break;
    parts.push(part);
    next = part.next;
  }
  // What could be a word or a sign at either end most likely is one.
  while (parts.length > 0 && isTrailingSign(parts.at(-1))) parts.pop();
  const count = (kind: SpelledPart["kind"]) => parts.filter(({ value }) => value.kind === kind).length;
  const isExplained = parts.length === 1 && next - at > 2;
  const isSpelled = isExplained || (parts.length > 1 && count("sure") > 0 && count("sure") >= count("maybe"));
  if (!isSpelled || isLoose(parts[0])) return null;
  const [value = "", ...others] = joined(parts);
  return { value, others, next: parts.at(-1)?.next ?? next };
}

/** A row begins with a letter, not with a word that may sound like one, nor with a digit or a dash. */
function isLoose(first: Reading<SpelledPart> | undefined): boolean {
  return first !== undefined && first.value.kind !== "sure" && !/^[ai]$/.test(first.value.letters);
}

function isTrailingSign(part: Reading<SpelledPart> | undefined): boolean {
  return part !== undefined && /^[-']$/.test(part.value.letters);
}

function joined(parts: readonly Reading<SpelledPart>[]): string[] {
  let readings = [""];
  for (const { value, others } of parts) {
    const choices = [value, ...others].map(({ letters }) => letters.toUpperCase());
    readings = choices.flatMap((letters) => readings.map((before) => before + letters)).slice(0, OTHERS_MAX + 1);
  }
  return readings;
}
