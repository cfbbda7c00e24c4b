/** How a word of a joined sentence is rendered: with more to come, or as the last one. */
export type WordPlace = "medial" | "final";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = "January February March April May June July August September October November December".split(" ");
const UNITS = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS = (
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth " +
  "sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
).split(" ");

/** Twenty-one to fifty-nine, as minutes and years have them. Larger ones are said in two clips. */
const COMPOUNDS = TENS.slice(0, 4).flatMap((ten) => UNITS.slice(1).map((unit) => `${ten}-${unit}`));
const COMPOUND_ORDINALS = [
  ...ORDINALS.slice(0, 9).map((ordinal) => `twenty-${ordinal}`),
  `thirty-${ORDINALS[0] ?? ""}`,
];

/** Said within a value and never at the end of a sentence. */
const LINKS = ["at", "on", "the", "of", "and", "oh", "plus", "point", "hundred", "thousand"];
const ENDS = ["A M", "P M", "noon", "midnight", "o'clock", "yes", "no"];

/**
 * The words that dates, times and numbers are made of. Joined with short gaps they make every value of these kinds, so
 * that nothing has to be rendered when a callee names one.
 */
export function joinableTexts(): readonly string[] {
  const both = [...WEEKDAYS, ...MONTHS, ...ORDINALS, ...COMPOUND_ORDINALS, ...UNITS, ...TEENS, ...TENS, ...ENDS];
  return [
    ...both.map((word) => joinableText(word, "medial")),
    ...both.map((word) => joinableText(word, "final")),
    ...[...COMPOUNDS, ...LINKS].map((word) => joinableText(word, "medial")),
  ];
}

/** The text under which a word is rendered for its place. A word with more to come has no full stop. */
export function joinableText(words: string, place: WordPlace): string {
  return place === "final" ? `${words}.` : words;
}
