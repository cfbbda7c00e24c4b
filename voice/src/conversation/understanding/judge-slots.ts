import type { AskNode } from "@parley/contract/flow-ask";
import type { AnswerOpinion } from "../../ports/answer-judge.ts";
import { type CallContext, nodeOf } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import { type JudgedValue, judgedValue } from "./judge-value.ts";
import { type LaterSlot, laterSlots, supportedValue } from "./later-slots.ts";
import { openQuestion } from "./question-context.ts";
import type { FilledSlot } from "./volunteered.ts";

/**
 * What the local judge finds for later questions: whether a value that was named is what one of them asks for. What it finds is
 * read back when that question is reached, and never taken at once.
 */
export interface JudgedSlot extends JudgedValue {
  readonly slot: LaterSlot;
}

/** Each costs a judgement, of which the current answer needs one too. */
const JUDGED_MAX = 3;
const KINDS: ReadonlySet<LaterSlot["kind"]> = new Set(["date", "time", "number", "amount", "name"]);

/** The nearest later questions for which the callee named a value. */
export function slotsToJudge(context: CallContext, state: FlowState, ask: AskNode, text: string): JudgedSlot[] {
  const found: JudgedSlot[] = [];
  for (const slot of laterSlots(context, state, ask)) {
    const later = nodeOf(context, slot.nodeId);
    if (later.type !== "ask" || !KINDS.has(slot.kind)) continue;
    const judged = judgedValue(openQuestion(context, state, later), slot.question, text, context.reading);
    if (judged === null) continue;
    found.push({ slot, ...judged });
    if (found.length === JUDGED_MAX) break;
  }
  return found;
}

/** How likely a value must be meant to be read back at a later question: to be corrected costs no more than to be asked. */
const READ_BACK_FROM = 0.4;

/** The value that the judge finds in what was said last, if the agent had not named it before. */
export function slotFound(
  context: CallContext,
  state: FlowState,
  { slot, named }: JudgedSlot,
  { exits }: AnswerOpinion,
): FilledSlot | null {
  const best = Math.max(0, ...exits);
  const index = best < READ_BACK_FROM ? -1 : exits.indexOf(best);
  const last = state.volunteered.at(-1);
  const meant = named[index]?.values[0];
  if (last === undefined || meant === undefined) return null;
  const value = supportedValue(context, state, slot, meant, last.said);
  return value === null ? null : { nodeId: slot.nodeId, value, by: "judge" };
}
