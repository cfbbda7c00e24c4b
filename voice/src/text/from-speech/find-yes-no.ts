import { type Found, foundAt } from "./found.ts";
import { longFormOf } from "./long-forms.ts";
import { isJoined, type Word, wordsOf } from "./words.ts";
import { YES_NO_PHRASES, type YesNoPhrase } from "./yes-no-lexicon.ts";

/** A yes or no in a sequence of words. */
export interface YesNoHit {
  readonly phrase: YesNoPhrase;
  /** Between which words. */
  readonly start: number;
  readonly end: number;
}

/** What may follow a phrase that must come last, and is no sentence of its own. */
const AFTER_FINAL =
  /^(?:please|thanks|thank|then|sir|madam|ma'am|with|by|and|but|so|yes|yeah|ok|okay|indeed|for|too|actually)$/;

/** The yes and no of words in their long form, the longest phrases first. Pauses inside a phrase do not matter. */
export function findYesNoHits(words: readonly Word[]): YesNoHit[] {
  const hits: YesNoHit[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = (YES_NO_PHRASES.get(words[at]?.text ?? "") ?? []).find(
      (each) =>
        each.words.every((word, index) => words[at + index]?.text === word) &&
        !isDeterminer(each, words[at + 1]) &&
        (!each.isFinal || isOver(words[at + each.words.length])),
    );
    if (phrase !== undefined) hits.push({ phrase, start: at, end: at + phrase.words.length });
    at += phrase?.words.length ?? 1;
  }
  return hits;
}

/** After a "no" that refuses, these continue; anything else is what is being negated: "no bother", "no sugar". */
const AFTER_NO =
  /^(?:i|we|you|he|she|they|it|this|that|there|not|do|don't|never|thanks|thank|please|sorry|but|and|absolutely|definitely|really|actually|just|sir|madam|ma'am|mate|love|dear|because|cause|cancel|keep|leave|let|my|the|no|nope|nah|yes|yeah|okay|ok|oh|wait|hang|hold|make|go|come|of|if|unless|way|can|could|will|would|is|are|am|have|has|nobody|nothing|none|what|why|who|how|when|where|so|then|say|said|sure|maybe|afraid|unfortunately|put|take|send|use|stop|for|at|on|in|with)$/;

function isDeterminer({ words }: YesNoPhrase, following: Word | undefined): boolean {
  const isBareNo = words.length === 1 && words[0] === "no";
  return isBareNo && following !== undefined && isJoined(following) && !AFTER_NO.test(following.text);
}

function isOver(following: Word | undefined): boolean {
  return following === undefined || !isJoined(following) || AFTER_FINAL.test(following.text);
}

/**
 * Whether the speaker agrees. If both occur, the last one counts ("yes, I mean no"), but "no, that's fine" is still a
 * no; in both cases the opposite is the alternative.
 */
export function findYesNo(text: string): Found<boolean> | null {
  const words = longFormOf(wordsOf(text));
  const said = findYesNoHits(words).filter(({ phrase }) => phrase.meaning !== "neither");
  const strong = said.filter(({ phrase }) => phrase.intensity === "strong");
  const deciding = strong.at(-1) ?? said.at(-1);
  if (deciding === undefined) return null;
  const value = deciding.phrase.meaning === "yes";
  const isDoubtful = said.some(({ phrase }) => (phrase.meaning === "yes") !== value);
  return foundAt(words, deciding.start, { value, others: isDoubtful ? [!value] : [], next: deciding.end });
}
