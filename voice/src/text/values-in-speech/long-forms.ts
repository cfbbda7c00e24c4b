import type { Word } from "./words.ts";

/** Contractions written out, so that both ways of saying it are the same. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  "can't": "can not",
  cannot: "can not",
  "won't": "will not",
  "shan't": "shall not",
  "let's": "let us",
  gonna: "going to",
  wanna: "want to",
  gotta: "got to",
  lemme: "let me",
  ok: "okay",
  alright: "all right",
  anymore: "any more",
  cant: "can not",
  wont: "will not",
  dont: "do not",
  didnt: "did not",
  doesnt: "does not",
  isnt: "is not",
  havent: "have not",
  wouldnt: "would not",
  im: "i am",
  ive: "i have",
  thats: "that is",
  nobody: "no one",
  "ain't": "am not",
  kinda: "kind of",
  sorta: "sort of",
  dunno: "do not know",
  "y'all": "you all",
  tomorrows: "tomorrow",
  colour: "color",
  neighbour: "neighbor",
  neighbours: "neighbors",
  cancelled: "canceled",
  cancelling: "canceling",
  favour: "favor",
};
const ENDINGS: readonly (readonly [ending: string, word: string])[] = [
  ["n't", "not"],
  ["'ll", "will"],
  ["'ve", "have"],
  ["'re", "are"],
  ["'m", "am"],
  ["'d", "would"],
];
/** After these, 's is "is"; after others it may be whose something is. */
const BEFORE_IS = new Set(
  "it that what who where how there he she here this when everything nothing something everybody everyone someone somebody nobody why".split(
    " ",
  ),
);

/**
 * Words with every short form written out ("can not" for "can't"). The words of a short form share its position in the
 * text.
 */
export function longFormOf(words: readonly Word[]): Word[] {
  return words.flatMap((word) =>
    longForm(word.text).map((text, index): Word => ({ ...word, text, gap: index === 0 ? word.gap : "space" })),
  );
}

function longForm(word: string): string[] {
  const long = SHORT_FORMS[word];
  if (long !== undefined) return long.split(" ");
  const ending = ENDINGS.find(([each]) => word.endsWith(each) && word.length > each.length);
  if (ending !== undefined) return [word.slice(0, -ending[0].length), ending[1]];
  const stem = word.endsWith("'s") ? word.slice(0, -2) : null;
  return stem !== null && BEFORE_IS.has(stem) ? [...longForm(stem), "is"] : [word];
}
