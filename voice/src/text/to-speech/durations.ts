import { cardinalWords } from "./number-words.ts";
import { type SpeechRule, WORD_END } from "./speech-rule.ts";

const HOURS = "(\\d{1,3})\\s?(?:h|hr|hrs|hours?)\\.?";
const MINUTES = "(\\d{1,3})\\s?(?:m|min|mins|minutes?)\\.?";
const SECONDS = "(\\d{1,3})\\s?(?:s|sec|secs|seconds?)\\.?";

/** Hours, minutes and seconds that belong together. A single one of them is a measure like any other. */
export const DURATIONS: readonly SpeechRule[] = [
  {
    pattern: /PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,4})S)?(?![A-Za-z0-9])/y,
    say: ({ groups }) => durationWords(groups[1], groups[2], groups[3]),
  },
  {
    pattern: new RegExp(`${HOURS},?\\s?${MINUTES}(?:,?\\s?${SECONDS})?${WORD_END}`, "iy"),
    say: ({ groups }) => durationWords(groups[1], groups[2], groups[3]),
  },
  {
    pattern: new RegExp(`${MINUTES},?\\s?${SECONDS}${WORD_END}`, "iy"),
    say: ({ groups }) => durationWords(undefined, groups[1], groups[2]),
  },
];

/** "two hours and thirty minutes". Parts that were not written are not said. */
export function durationWords(hours?: string, minutes?: string, seconds?: string): string {
  const parts = [
    [hours, "hour"],
    [minutes, "minute"],
    [seconds, "second"],
  ].flatMap(([count, unit]) => (count === undefined ? [] : [counted(Number(count), unit ?? "")]));
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function counted(count: number, unit: string): string {
  return `${cardinalWords(count)} ${unit}${count === 1 ? "" : "s"}`;
}
