import type { ReplyPart } from "../ports/brain.ts";
import { plainText } from "../ports/speech-notation.ts";
import { askOf } from "./ask-question.ts";
import { type CallContext, say, speak, speechOf } from "./call-context.ts";
import type { FlowState, SpokenClause } from "./flow-state.ts";
import { identification } from "./small-talk.ts";
import { splitClauses } from "./texts/clauses.ts";
import { plainWords } from "./understanding/plain-words.ts";
import { disclosureText } from "./walk-flow.ts";

/**
 * A reply that was cut off: the unheard rest, so that it can be continued after a false interruption, and what must be
 * repeated after a real one.
 */

/** Records what was not heard of a reply. `heardText` contains its words up to the cut. */
export function noteUnheard(
  context: CallContext,
  state: FlowState,
  said: readonly SpokenClause[],
  heardText: string,
): FlowState {
  const next = { ...state, unheard: unheardClauses(said, heardText) };
  return { ...next, introductionOwed: [...new Set([...state.introductionOwed, ...owedIntroduction(context, next)])] };
}

/** The clauses from the first unheard one to the end. */
function unheardClauses(said: readonly SpokenClause[], heardText: string): readonly SpokenClause[] {
  let heard = wordCount(heardText);
  const first = said.findIndex(({ text }) => {
    heard -= wordCount(text);
    return heard < 0;
  });
  return first < 0 ? [] : said.slice(first);
}

/** The parts of the greeting and the disclosure that were cut off. A cut-off question is asked again anyway. */
function owedIntroduction(context: CallContext, state: FlowState): readonly string[] {
  const { at, firstSaid, isDisclosed, unheard } = state;
  const isUnheard = (clause: string) => unheard.some((each) => speechOf(each) === clause);
  const cutOff = (text: string | null) =>
    (text === null ? [] : sentencesOf(text)).filter((sentence) => splitClauses(sentence).some(isUnheard));
  const isQuestion = at.name === "asking" && speak(context, state, askOf(context, at).text) === firstSaid;
  const greeting = cutOff(firstSaid);
  // A shorter form of the greeting, if the agent has one.
  const isShort = context.plan.settings.identification !== undefined;
  const introduction = isShort && greeting.length > 0 ? [identification(context, state)] : isQuestion ? [] : greeting;
  return [...introduction, ...cutOff(isDisclosed ? disclosureText(context) : null)];
}

/**
 * Says the missing parts of the introduction before a reply, except what the reply says anyway. They cannot be cut off
 * again.
 */
export function withIntroduction(missing: readonly string[], parts: readonly ReplyPart[]): readonly ReplyPart[] {
  const replied = joined(parts.flatMap((part) => (part.type === "say" ? [part.text] : [])));
  const owed = missing.filter((text) => !replied.includes(joined([plainText(text)])));
  // The reply may go on in the middle of a sentence that is said from its beginning here.
  const repeated = new Set(owed.flatMap(splitClauses));
  const rest = parts.filter((part) => part.type !== "say" || !repeated.has(speechOf(part)));
  return [...owed.flatMap((text) => say(text, false)), ...rest];
}

/** Repeated text starts at the beginning of a sentence. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.?!])\s+/).filter((sentence) => sentence !== "");
}

function joined(texts: readonly string[]): string {
  return ` ${plainWords(texts.join(" ")).join(" ")} `;
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
