import { findNumber } from "../../../text/values-in-speech/find-number.ts";
import { askingSentence } from "../question-context.ts";
import type { Mention } from "./find-mentions.ts";

const NUMBER_WORD = "(?:\\d+(?:\\.\\d+)?|[a-z]+(?:-[a-z]+)?)";
/** Lengths of time in hours, where minutes were asked for. */
const IN_HOURS = new RegExp(
  `\\b(?:(?<quarters>three[- ]quarters|a quarter|quarter) of an hour|(?<half>half an hour|half[- ]hour)|(?<count>an?|${NUMBER_WORD}) (?:and (?<halfInside>a half|a quarter) )?hours?(?: and (?<rest>a half|a quarter|${NUMBER_WORD}(?= min)))?)(?: minutes?)?\\b`,
  "i",
);
const FRACTIONS: readonly (readonly [pattern: RegExp, percent: number])[] = [
  [/\b(?:half|fifty[- ]fifty)\b/i, 50],
  [/\bthree[- ]quarters\b/i, 75],
  [/\b(?:a|one) quarter\b/i, 25],
  [/\btwo[- ]thirds\b/i, 67],
  [/\b(?:a|one)[- ]third\b/i, 33],
  [/\b(?:all of (?:it|them|us)|every single one|everything)\b/i, 100],
  [/\bnone of (?:it|them|us)\b/i, 0],
];

/** An amount in another unit than the one that was asked for: "half an hour" of minutes, "a quarter of it" of percent. */
export function findInUnit(text: string, asked: string): Mention | null {
  const asking = askingSentence(asked);
  const number = findNumber(text);
  if (/\bminutes?\b/i.test(asking)) {
    const found = IN_HOURS.exec(text);
    const minutes = found === null ? null : minutesOf(found.groups ?? {});
    if (found === null || minutes === null || (number !== null && number.start < found.index)) return null;
    return { value: minutes, others: [], start: found.index, end: found.index + found[0].length };
  }
  if (/\b(?:per ?cent|percentage|share)\b/i.test(asking)) {
    for (const [pattern, percent] of FRACTIONS) {
      const found = pattern.exec(text);
      if (found === null || (number !== null && number.start < found.index)) continue;
      if (/^\W*(?:a |of a )?(?:per ?cent|%|past|to)\b/i.test(text.slice(found.index + found[0].length))) continue;
      return { value: percent, others: [], start: found.index, end: found.index + found[0].length };
    }
  }
  return null;
}

function minutesOf({ quarters, half, count, halfInside, rest }: Readonly<Record<string, string | undefined>>) {
  const partOf = (words: string | undefined) =>
    words === undefined ? 0 : words === "a half" ? 30 : words === "a quarter" ? 15 : (findNumber(words)?.value ?? null);
  if (quarters !== undefined) return /^three/i.test(quarters) ? 45 : 15;
  if (half !== undefined) return 30;
  const hours = /^an?$/i.test(count ?? "") ? 1 : (findNumber(count ?? "")?.value ?? null);
  const more = partOf(rest?.toLowerCase() ?? halfInside?.toLowerCase());
  return hours === null || more === null ? null : hours * 60 + more;
}
