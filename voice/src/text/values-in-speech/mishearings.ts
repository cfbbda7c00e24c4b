/**
 * What recognition writes for the words of numbers, days and times, and what was said. Used only if one of them is
 * expected.
 */
const MISHEARINGS: readonly (readonly [RegExp, string])[] = [
  [/\bfife\b/gi, "five"],
  [/\b(?:fore)\b/gi, "four"],
  [/(?<=^|\b(?:one|two|three|four|five|six|seven|eight|nine|oh|zero|for|to|at|twenty|thirty) )ate\b/gi, "eight"],
  [/\bnein\b/gi, "nine"],
  [/\btree(?= (?:o'?\s?clock|thirty|fifteen|hundred|in the|p m|pm))/gi, "three"],
  [/\b(?:for|fer)(?= (?:o'?\s?clock|thirty|fifteen|forty-?five)\b)/gi, "four"],
  [/\bto(?= (?:o'?\s?clock)\b)/gi, "two"],
  [
    /(?<=\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}) )(?:a clock|o clock|oclock|o'clocks?)\b/gi,
    "o'clock",
  ],
  [/\bafter noon\b/gi, "afternoon"],
  [/\bmourning\b/gi, "morning"],
  [/\bto morrow\b/gi, "tomorrow"],
  [/\b(?:fry|fried) day\b/gi, "friday"],
  [/\b(?:wends|wens|when's) day\b/gi, "wednesday"],
  [/\b(?:thirst|thurs) day\b/gi, "thursday"],
  [/\b(?:chews|two's|twos|tues) day\b/gi, "tuesday"],
  [/\b(?:satur|sat her) day\b/gi, "saturday"],
  [/\b(?:sun|son) day\b/gi, "sunday"],
  [/\bmon day\b/gi, "monday"],
  [/\b(st|mr|mrs|dr)\.(?=\s)/gi, "$1"],
  [
    /\b(?:around |about )?((?:(?:half|quarter|past|to|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) )*(?:noon|midday|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty-?five|fifty|hundred|\d+))[ -]?ish\b/gi,
    "around $1",
  ],
  [/\b(sixty|seventy|twenty|thirty|forty|fifty|eighty|ninety)(?: -)? sick\b/gi, "$1 six"],
];

/** Replaces the usual mishearings in a text by what was said. */
export function asSaid(text: string): string {
  return MISHEARINGS.reduce((heard, [pattern, said]) => heard.replaceAll(pattern, said), text);
}
