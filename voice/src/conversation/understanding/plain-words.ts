import { longFormOf } from "../../text/values-in-speech/long-forms.ts";
import { type Word, wordsOf } from "../../text/values-in-speech/words.ts";

/** Fillers and courtesies that change no meaning. */
const FILLERS = new Set("um uh er erm ah oh hm hmm mm well so please thanks kindly just then now actually".split(" "));

/** The words of an utterance in lower case and in their long form. */
export function plainWords(text: string): readonly string[] {
  return plainTokens(text).map(({ text: word }) => word);
}

/** The same with their positions in the text. */
export function plainTokens(text: string): readonly Word[] {
  return longFormOf(wordsOf(text));
}

/** Without fillers and courtesies. Nothing but fillers is left unchanged, because then they are the utterance. */
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
