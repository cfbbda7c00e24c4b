import { type CallContext, nodeOf } from "../call-context.ts";
import { type Meaning, matchMeanings } from "./match-phrase.ts";
import { plainWords, withoutFillers } from "./plain-words.ts";
import { meaningsOfExits } from "./read-choice.ts";

/** Beyond its phrase a request has few words. The same phrase in a longer sentence is most likely part of an answer. */
const SURPLUS_WORDS_MAX = 4;
const SURPLUS_IN_FREE_TEXT_MAX = 1;

/** The global nodes as things that can be meant at any question. */
export function meaningsOfGlobals(context: CallContext): Meaning<string>[] {
  return context.plan.globalIds.map((id) => {
    const node = nodeOf(context, id);
    return { id, phrases: "global" in node ? (node.global?.phrases ?? []) : [] };
  });
}

/** The global node whose phrase was said, or null. Free text must be hardly more than the phrase. */
export function findGlobal(context: CallContext, text: string, isFreeText: boolean): string | null {
  const [best, second] = matchMeanings(text, meaningsOfGlobals(context)).filter(({ strength }) => strength >= 2);
  if (best === undefined || (second !== undefined && second.strength === best.strength)) return null;
  const surplus = withoutFillers(plainWords(text)).length - (best.end - best.start);
  return surplus <= (isFreeText ? SURPLUS_IN_FREE_TEXT_MAX : SURPLUS_WORDS_MAX) ? best.id : null;
}

/** Every phrase that the callee's words may be compared with during this call. */
export function phrasesToRank(context: CallContext): readonly string[] {
  const exits = [...context.plan.nodes.values()].flatMap((node) => (node.type === "ask" ? meaningsOfExits(node) : []));
  return [...new Set([...exits, ...meaningsOfGlobals(context)].flatMap(({ phrases }) => phrases))];
}
