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

/** Said within a value and never at the end of it. */
const LINKS = ["at", "on", "the", "of", "and", "oh", "plus", "point", "hundred", "thousand"];
/** Said at the end of a value. */
const ENDS = ["A M", "P M", "noon", "midnight", "o'clock", "yes", "no"];

/**
 * The words that dates, times and numbers are made of. Joined with short gaps they make every value of these kinds, so
 * that nothing has to be rendered when a callee names one. A word that seldom ends a sentence is rendered once, and
 * sounds as if more were to come; "twenty-one" is two of them.
 */
export function joinableTexts(): readonly string[] {
  const ends = [...WEEKDAYS, ...ORDINALS, ...UNITS, ...ENDS];
  const others = [...MONTHS, ...TEENS, ...TENS, ...LINKS];
  return [
    ...[...ends, ...others].map((word) => joinableText(word, "medial")),
    ...ends.map((word) => joinableText(word, "final")),
  ];
}

/** The text under which a word is rendered for its place. A word with more to come has no full stop. */
export function joinableText(words: string, place: WordPlace): string {
  return place === "final" ? `${words}.` : words;
}
