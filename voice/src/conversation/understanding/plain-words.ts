import { wordsOf } from "../../text/from-speech/words.ts";

/** What is said in one word and means several; written out, so that both ways of saying it are the same. */
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
const BEFORE_IS = new Set(["it", "that", "what", "who", "where", "how", "there", "he", "she", "here", "this", "when"]);

/** What is said while looking for words, or to be polite, and changes no meaning. */
const FILLERS = new Set("um uh er erm ah oh hm hmm mm well so please thanks kindly just then now actually".split(" "));

/** The words of an utterance in small letters and in their long form. */
export function plainWords(text: string): readonly string[] {
  return wordsOf(text).flatMap(({ text: word }) => longForm(word));
}

function longForm(word: string): string[] {
  const long = SHORT_FORMS[word];
  if (long !== undefined) return long.split(" ");
  const ending = ENDINGS.find(([each]) => word.endsWith(each) && word.length > each.length);
  if (ending !== undefined) return [word.slice(0, -ending[0].length), ending[1]];
  const stem = word.endsWith("'s") ? word.slice(0, -2) : null;
  return stem !== null && BEFORE_IS.has(stem) ? [stem, "is"] : [word];
}

/** Without fillers and politeness. Nothing but fillers stays as it is, because then they are what was said. */
export function withoutFillers(words: readonly string[]): readonly string[] {
  const kept = words.filter((word, at) => !FILLERS.has(word) && !isThanks(words, at));
  return kept.length === 0 ? words : kept;
}

/** Whether the callee only hesitated. */
export function isOnlyFiller(words: readonly string[]): boolean {
  return words.every((word) => FILLERS.has(word));
}

function isThanks(words: readonly string[], at: number): boolean {
  return (words[at] === "thank" && words[at + 1] === "you") || (words[at] === "you" && words[at - 1] === "thank");
}
