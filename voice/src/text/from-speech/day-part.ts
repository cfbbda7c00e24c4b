import { certain, type Reading } from "./found.ts";
import { saysAt, type Word } from "./words.ts";

export type DayHalf = "am" | "pm";
export type DayPart = "morning" | "afternoon" | "evening" | "night";

/** How a part of the day is said after a time. The single words also stand elsewhere: "tomorrow morning at nine". */
const PHRASES: readonly (readonly [phrase: readonly string[], part: DayPart])[] = [
  [["in", "the", "morning"], "morning"],
  [["in", "the", "afternoon"], "afternoon"],
  [["in", "the", "evening"], "evening"],
  [["at", "night"], "night"],
  [["this", "morning"], "morning"],
  [["this", "afternoon"], "afternoon"],
  [["this", "evening"], "evening"],
  [["tonight"], "night"],
];
const SINGLE: Readonly<Record<string, DayPart>> = {
  morning: "morning",
  afternoon: "afternoon",
  evening: "evening",
  night: "night",
};

/** "pm", "p m", "p.m.": which half of the day a time is in. */
export function readHalf(words: readonly Word[], at: number): Reading<DayHalf> | null {
  const text = words[at]?.text;
  if (text === "am" || text === "pm") return certain(text, at + 1);
  if (words[at + 1]?.text !== "m") return null;
  return text === "a" ? certain("am", at + 2) : text === "p" ? certain("pm", at + 2) : null;
}

export function readDayPart(words: readonly Word[], at: number): Reading<DayPart> | null {
  const found = PHRASES.find(([phrase]) => saysAt(words, at, phrase));
  return found === undefined ? null : certain(found[1], at + found[0].length);
}

/** The part of the day that is said anywhere in a text. */
export function dayPartIn(words: readonly Word[]): DayPart | null {
  for (let at = 0; at < words.length; at++) {
    // "good morning" says nothing about the time that is asked for.
    if (words[at - 1]?.text === "good") continue;
    const part = readDayPart(words, at)?.value ?? SINGLE[words[at]?.text ?? ""];
    if (part !== undefined) return part;
  }
  return null;
}

/** At night, eleven is before midnight and two is after it. */
export function halfIn(part: DayPart, hour: number): DayHalf {
  if (part === "morning") return "am";
  if (part === "night") return hour >= 5 && hour < 12 ? "pm" : "am";
  return "pm";
}
