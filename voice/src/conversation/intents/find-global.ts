import type { CallScope } from "../call-scope.ts";
import { nodeOf } from "../call-scope.ts";
import { type Meaning, matchMeanings } from "./match-phrase.ts";
import { plainWords, withoutFillers } from "./plain-words.ts";

/** Beyond its phrase a wish has few words. The same phrase in a longer sentence is most likely part of an answer. */
const SURPLUS_WORDS_MAX = 4;
const SURPLUS_IN_FREE_TEXT_MAX = 1;

/** The global nodes as things that can be meant at any question. */
export function meaningsOfGlobals(scope: CallScope): Meaning<string>[] {
  return scope.plan.globalIds.map((id) => {
    const node = nodeOf(scope, id);
    return { id, phrases: "global" in node ? (node.global?.phrases ?? []) : [] };
  });
}

/** The global node whose phrase was said, or null. Free text must be hardly more than the phrase. */
export function findGlobal(scope: CallScope, text: string, isFreeText: boolean): string | null {
  const [best, second] = matchMeanings(text, meaningsOfGlobals(scope)).filter(({ strength }) => strength >= 2);
  if (best === undefined || (second !== undefined && second.strength === best.strength)) return null;
  const surplus = withoutFillers(plainWords(text)).length - (best.end - best.start);
  return surplus <= (isFreeText ? SURPLUS_IN_FREE_TEXT_MAX : SURPLUS_WORDS_MAX) ? best.id : null;
}
