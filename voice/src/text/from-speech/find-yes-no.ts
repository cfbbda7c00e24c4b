import { type Found, foundAt } from "./found.ts";
import { isJoined, type Word, wordsOf } from "./words.ts";

/** What agrees on its own. */
const YES =
  "yes|yeah|yep|yup|yah|ya|aye|yes please|sure|sure thing|certainly|absolutely|definitely|of course|that's correct|that is correct|that's right|that is right|exactly|indeed|affirmative|go ahead|please do|this is he|this is she|why not|uh huh|mhm|mm hmm|mmhmm|you bet|by all means|i think so|i guess so|i suppose so|i believe so|sounds good|that works|works for me|i'd love to|totally|for sure";
/** What agrees only where nothing follows: "I am" does, and "I am at home" does not. */
const FINAL_YES =
  "correct|i do|i am|i will|i can|i would|i have|it is|it does|we are|we do|that's me|that is me|speaking";
/** What agrees, and also just ends a sentence: after a "no" it does not take it back. */
const WEAK_YES = "ok|okay|alright|all right|no problem|no worries|that's fine|that's okay|that's good";
const FINAL_WEAK_YES = "right|fine|good|great|perfect|cool";
const NO =
  "no|nope|nah|no way|please do not|please don't|no thanks|no thank you|not really|not at all|not yet|not today|not now|i don't think so|don't think so|i'm afraid not|afraid not|of course not|absolutely not|certainly not|definitely not|never|negative|i don't|i do not|i can't|i cannot|i won't|i will not|i'm not|i am not|i wouldn't|it's not|it isn't|it is not|that's not right|that's not correct|that is not correct|that isn't right|that's wrong|that is wrong|incorrect|wrong|not correct|not right|uh uh|nuh uh|rather not|i'd rather not|not interested|i disagree|i refuse";
/** What contains one of the above and means neither. */
const NEITHER =
  "maybe|perhaps|i don't know|don't know|not sure|i'm not sure|i am not sure|it depends|right now|no one|no idea|i don't understand|i do not understand|i don't mind|not bad|no matter|number|i can't hear|i can't hear you|i can't understand|i don't remember";

type Meaning = "yes" | "weak_yes" | "no" | "neither";

interface Phrase {
  readonly words: readonly string[];
  readonly meaning: Meaning;
  readonly isFinal: boolean;
}

/** What may follow a phrase that must come last, and is no sentence of its own. */
const AFTER_FINAL = /^(?:please|thanks|thank|then|sir|madam|ma'am|with|by|and|but|so|yes|yeah|ok|okay)$/;

/** By their first word, the longest first. */
const PHRASES: ReadonlyMap<string, readonly Phrase[]> = groupByFirstWord([
  ...phrasesOf(YES, "yes"),
  ...phrasesOf(FINAL_YES, "yes", true),
  ...phrasesOf(WEAK_YES, "weak_yes"),
  ...phrasesOf(FINAL_WEAK_YES, "weak_yes", true),
  ...phrasesOf(NO, "no"),
  ...phrasesOf(NEITHER, "neither"),
]);

/**
 * Whether somebody agrees. Where both are said, the last one counts ("yes, I mean no"), but "no, that's fine" is still a
 * no; either way the opposite is the other.
 */
export function findYesNo(text: string): Found<boolean> | null {
  const words = wordsOf(text);
  const said: { meaning: Meaning; at: number; next: number }[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = phraseAt(words, at);
    const next = at + (phrase?.words.length ?? 1);
    if (phrase !== undefined && phrase.meaning !== "neither") said.push({ meaning: phrase.meaning, at, next });
    at = next;
  }
  const strong = said.filter(({ meaning }) => meaning !== "weak_yes");
  const deciding = strong.at(-1) ?? said.at(-1);
  if (deciding === undefined) return null;
  const value = deciding.meaning !== "no";
  const isDoubtful = said.some(({ meaning }) => (meaning !== "no") !== value);
  return foundAt(words, deciding.at, { value, others: isDoubtful ? [!value] : [], next: deciding.next });
}

/** Pauses inside a phrase do not matter: "No. Thanks." is heard as one. */
function phraseAt(words: readonly Word[], at: number): Phrase | undefined {
  const candidates = PHRASES.get(words[at]?.text ?? "") ?? [];
  return candidates.find(
    (phrase) =>
      phrase.words.every((word, index) => words[at + index]?.text === word) &&
      (!phrase.isFinal || isOver(words[at + phrase.words.length])),
  );
}

function isOver(following: Word | undefined): boolean {
  return following === undefined || !isJoined(following) || AFTER_FINAL.test(following.text);
}

function phrasesOf(list: string, meaning: Meaning, isFinal = false): Phrase[] {
  return list.split("|").map((phrase) => ({ words: phrase.split(" "), meaning, isFinal }));
}

function groupByFirstWord(phrases: readonly Phrase[]): Map<string, Phrase[]> {
  const longestFirst = [...phrases].sort((a, b) => b.words.length - a.words.length);
  return Map.groupBy(longestFirst, ({ words }) => words[0] ?? "");
}
