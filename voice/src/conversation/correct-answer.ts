import type { AskNode } from "@parley/contract/flow-ask";
import { placeholderNames } from "@parley/flow/placeholders";
import type { ReplyPart } from "../ports/brain.ts";
import { findYesNo, findYesNoHits } from "../text/values-in-speech/find-yes-no.ts";
import { longFormOf } from "../text/values-in-speech/long-forms.ts";
import { wordsOf } from "../text/values-in-speech/words.ts";
import { askAgain, askOf } from "./ask-question.ts";
import { type CallContext, phrase, say, spokenKindOf } from "./call-context.ts";
import type { Asking, FlowState } from "./flow-state.ts";
import { after, decided, type Outcome } from "./outcome.ts";
import { goOnWith } from "./take-answer.ts";
import { speakValue } from "./texts/speak-value.ts";
import { BY_WORDS } from "./understanding/answer.ts";
import { openQuestion } from "./understanding/question-context.ts";
import { afterCorrection, beginsWithCorrection, readAnswer } from "./understanding/read-answer.ts";
import { noteTaken } from "./understanding/volunteered.ts";
import { collect } from "./walk-flow.ts";

/** Values whose read-back can be answered with another one. */
const CHANGEABLE = new Set<AskNode["answer"]>(["date", "time", "number"]);
/** These also consist of words with other meanings, and change only after a no. */
const CHANGEABLE_AFTER_NO = new Set<AskNode["answer"]>(["name", "phone", "digits", "email", "choice"]);

/**
 * "No, four" to a question that reads back what was collected ("on Friday at three, is that right?"): just that value
 * changes, and it is read back again. Null when nothing else is named.
 */
export function changeReadBack(
  context: CallContext,
  state: FlowState,
  at: Asking,
  said: { readonly text: string },
): Outcome | null {
  const ask = askOf(context, at);
  if (ask.answer !== "yes_no") return null;
  const heard = findYesNo(said.text)?.value ?? null;
  const text = heard === null ? said.text : (afterCorrection(said.text) ?? said.text);
  const names = placeholderNames(ask.text).filter((name) => (state.collected[name] ?? null) !== null);
  const changes = names.flatMap((name) => {
    const owner = [...context.plan.nodes.values()].find((node) => node.type === "ask" && node.saveAs === name);
    if (owner?.type !== "ask") return [];
    const mayChange = CHANGEABLE.has(owner.answer) || (heard === false && CHANGEABLE_AFTER_NO.has(owner.answer));
    if (!mayChange) return [];
    const dictated = String(state.collected[name]).replaceAll(/\D/g, "");
    const isDictated = owner.answer === "phone" || owner.answer === "digits";
    const open = openQuestion(context, state, owner);
    const reading = readAnswer(
      { text: isDictated ? said.text : text, best: null },
      isDictated ? { ...open, dictated } : open,
      context.reading,
    );
    // What is changed is read back again, so a likely reading is enough where digits were corrected.
    const isRead = reading.type === "answer" || (isDictated && reading.type === "unsure");
    const isOther = isRead && reading.answer.value !== state.collected[name];
    return isOther ? [{ name, owner, kind: owner.answer, value: reading.answer.value }] : [];
  });
  const [first] = changes;
  // The same words cannot be meant for two values: "four" may be the time, or how many come.
  if (first === undefined || (changes.some(({ kind }) => kind === "number") && changes.length > 1)) return null;
  const values = Object.fromEntries(changes.map(({ name, value }) => [name, value]));
  const kept = collect(
    changes.reduce((each, { owner, value }) => noteTaken(each, owner, value), state),
    values,
  );
  const why = changes.map(({ name, value }) => ({ judge: "slots", says: `changes ${name} to ${value}` }) as const);
  const taken =
    heard === true
      ? ({ taken: "ask_back", result: first.value } as const)
      : ({ taken: "answer", result: false } as const);
  return decided({ nodeId: ask.id, ...taken, ...BY_WORDS, why }, after(kept.parts, askAgain(context, kept.state, at)));
}

/** What is said around a yes or no and adds nothing to it. */
const COURTESIES =
  /^(?:no|yes|oh|well|sorry|wait|actually|please|thanks|thank|you|very|much|kindly|i|mean|am|afraid|really|just|so|and|then|okay|ok)$/;

function isOnlyYesNo(text: string): boolean {
  const words = longFormOf(wordsOf(text));
  const hits = findYesNoHits(words);
  return words.every(
    ({ text: word }, at) => COURTESIES.test(word) || hits.some(({ start, end }) => at >= start && at < end),
  );
}

/** "No, Thursday" after the day was asked for: the previous answer is taken back, and the call continues from there. */
export function correctEarlier(
  context: CallContext,
  state: FlowState,
  said: { readonly text: string },
): Outcome | null {
  const { answered } = state;
  if (answered === null || answered.before.at.name !== "asking" || !beginsWithCorrection(said.text)) return null;
  const { at } = answered.before;
  const ask = askOf(context, at);
  if (ask.answer === "free_text" || ask.answer === "name") return null;
  // "No, thank you" declines what is asked now.
  if (ask.answer === "yes_no" && isOnlyYesNo(said.text)) return null;
  const question = openQuestion(context, answered.before, ask);
  const reading = readAnswer({ text: said.text, best: null }, question, context.reading);
  if (reading.type !== "answer") return null;
  const { turns, history, firstSaid, isDisclosed, languages } = state;
  const back = { ...answered.before, turns, history, firstSaid, isDisclosed, languages };
  const answer = speakValue(reading.answer.value, spokenKindOf(ask), context.speaking);
  const parts = [...restored(state, back, ask.saveAs), ...say(phrase(context, "corrected", { answer }), true)];
  return decided(
    { nodeId: ask.id, taken: "answer", result: reading.answer.value, ...BY_WORDS },
    after(parts, goOnWith(context, back, at, reading.answer)),
  );
}

/** Answers of these kinds say by themselves which question they answer. */
const TELLING = new Set<AskNode["answer"]>(["choice", "date", "time", "number"]);

/**
 * The previous answer once more, as by callees who are not sure that they were heard: "I am better" is no yes to "Do you have
 * any questions?". It is asked again, once.
 */
export function askAfterRepetition(
  context: CallContext,
  state: FlowState,
  at: Asking,
  { text }: { readonly text: string },
): Outcome | null {
  const { answered } = state;
  if (answered === null || answered.before.at.name !== "asking" || at.doubt !== null || at.repeats > 0) return null;
  const [earlier, ask] = [askOf(context, answered.before.at), askOf(context, at)];
  if (!TELLING.has(earlier.answer) || earlier.answer === ask.answer || ask.answer === "free_text") return null;
  const reading = readAnswer({ text, best: null }, openQuestion(context, answered.before, earlier), context.reading);
  const isRead = reading.type === "answer" || reading.type === "unsure";
  if (!isRead || reading.answer.value !== answered.value) return null;
  const why = [{ judge: "slots", says: `repeats the answer to ${earlier.id}` }] as const;
  const asked = askAgain(context, state, { ...at, repeats: at.repeats + 1 });
  return decided({ nodeId: ask.id, taken: "ask_back", result: null, ...BY_WORDS, why }, asked);
}

/** Records the values that going back to an earlier question brings back or removes, except its own. */
function restored({ collected: now }: FlowState, { collected: before }: FlowState, own?: string): ReplyPart[] {
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].flatMap((name): ReplyPart[] => {
    const value = before[name] ?? null;
    return name === own || (now[name] ?? null) === value ? [] : [{ type: "collected", name, value }];
  });
}
