import type { ReplyPart } from "../ports/brain.ts";
import type { IntentScore } from "../ports/intent-ranker.ts";
import type { DialPermission } from "../ports/line.ts";
import { askAgain, askOf } from "./ask-question.ts";
import { type CallContext, isInterruptible, nodeOf, phrase, say, speak } from "./call-context.ts";
import { changeSubject, type FlowState } from "./flow-state.ts";
import { after, decided, LISTEN, type Outcome } from "./outcome.ts";
import { failAnswer, goOnWith, needsReadBack, takeReading, whyNot } from "./take-answer.ts";
import { valueOfKind, valuesOfReply } from "./tools/save-values.ts";
import type { ToolOutcome } from "./tools/tool-ledger.ts";
import type { AnswerReading } from "./understanding/answer.ts";
import { hasReservations, parseUtterance } from "./understanding/parse-utterance.ts";
import { answerFor } from "./understanding/read-choice.ts";
import { collect, enterNode } from "./walk-flow.ts";

/**
 * How sure a ranking must be. Lower accepts more answers directly, including more wrong ones. Irrelevant remarks score
 * at most 0.47 with the local encoder: a few of them are asked about, which is no worse than asking again.
 */
const RANKING = {
  /** The minimum score, and lead over the second, to be accepted. */
  takenScore: 0.6,
  takenMargin: 0.1,
  /** The minimum score to be asked about. */
  askedScore: 0.42,
  /** A jump to another part of the flow requires more. */
  jumpScore: 0.7,
  jumpMargin: 0.15,
} as const;

/** The candidates were ranked; none when there is no ranker. */
export function resumeRanked(
  context: CallContext,
  state: FlowState,
  scores: readonly IntentScore[],
  said: string,
): Outcome {
  const { at } = state;
  if (at.name !== "asking") return { state, parts: [], waitsFor: LISTEN };
  const ask = askOf(context, at);
  // What comes with a condition, a doubt or a "not" is asked about, however close it is.
  const utterance = parseUtterance(said);
  const mayTake = !hasReservations(utterance);
  const mayJump = !hasReservations(utterance, ["question"]);
  const ranked = scores.toSorted((one, other) => other.score - one.score);
  const [best, next] = ranked;
  const isAhead = (margin: number) => (best?.score ?? 0) - (next?.score ?? 0) >= margin;
  const jump = targetOf(best, "global");
  if (jump !== null && mayJump && (best?.score ?? 0) >= RANKING.jumpScore && isAhead(RANKING.jumpMargin)) {
    const score = best?.score ?? null;
    return decided(
      { nodeId: ask.id, taken: "jump", result: jump, evidence: "similarity", score },
      enterNode(context, changeSubject(state), jump),
    );
  }
  // A request that is not certain enough to follow is no reason to overlook an answer, but a reason to ask about it.
  const [first, second] = ranked.filter(({ id }) => id.startsWith("exit:"));
  const exit = targetOf(first, "exit");
  if (first === undefined || exit === null || first.score < RANKING.askedScore) {
    return failAnswer(context, state, ask, whyNot(said));
  }
  const answer = answerFor(ask, Number(exit));
  const by = { nodeId: ask.id, evidence: "similarity", score: first.score } as const;
  const other = targetOf(second, "exit");
  if (other !== null && first.score - (second?.score ?? 0) < RANKING.takenMargin) {
    const options = [answer, answerFor(ask, Number(other))] as const;
    const result = options.map(({ value }) => String(value)).join(" or ");
    const asking = askAgain(context, state, { ...at, doubt: { type: "choosing", options } });
    return decided({ ...by, taken: "ask_back", result }, asking);
  }
  const isFinal = needsReadBack(context, at, answer, by);
  if (mayTake && !isFinal && first === best && first.score >= RANKING.takenScore && isAhead(RANKING.takenMargin)) {
    return decided({ ...by, taken: "answer", result: answer.value }, goOnWith(context, state, at, answer));
  }
  const asking = askAgain(context, state, { ...at, doubt: { type: "confirming", answer } });
  return decided({ ...by, taken: "ask_back", result: answer.value }, asking);
}

/** The other judges have answered. */
export function resumeJudgedAnswer(
  context: CallContext,
  state: FlowState,
  reading: AnswerReading,
  said: string,
): Outcome {
  const { at } = state;
  if (at.name !== "asking") return { state, parts: [], waitsFor: LISTEN };
  return takeReading(context, state, at, reading) ?? failAnswer(context, state, askOf(context, at), whyNot(said));
}

/** What a score refers to: the number of an exit, or the id of a global node. */
function targetOf(score: IntentScore | undefined, kind: "exit" | "global"): string | null {
  return score?.id.startsWith(`${kind}:`) ? score.id.slice(kind.length + 1) : null;
}

/** The tool has answered, or has not. */
export function resumeRequested(context: CallContext, state: FlowState, nodeId: string, outcome: ToolOutcome): Outcome {
  const node = nodeOf(context, nodeId);
  if (node.type !== "tool") return { state, parts: [], waitsFor: LISTEN };
  if (!outcome.ok) return enterNode(context, state, node.failed ?? node.id, "failed");
  const kept = collect(state, valuesOfReply(outcome.body, node.saves ?? []));
  return after(kept.parts, enterNode(context, kept.state, node.next ?? node.id, "next"));
}

/** It was decided whether the number may be called. */
export function resumeDialed(
  context: CallContext,
  state: FlowState,
  nodeId: string,
  to: string,
  permission: DialPermission,
): Outcome {
  const node = nodeOf(context, nodeId);
  if (node.type !== "transfer") return { state, parts: [], waitsFor: LISTEN };
  if (!permission.isAllowed) return enterNode(context, state, node.failed ?? node.id, "failed");
  const text = node.text === undefined ? [] : say(speak(context, state, node.text), isInterruptible(context, node));
  const parts: ReplyPart[] = [...text, { type: "transfer", to, how: node.how ?? "auto" }];
  return { state: { ...state, at: { name: "transferring", nodeId } }, parts, waitsFor: LISTEN };
}

/** A model has judged which of a branch's prompts holds; null when none does, or no model was available. */
export function resumeJudged(context: CallContext, state: FlowState, nodeId: string, held: number | null): Outcome {
  const node = nodeOf(context, nodeId);
  if (node.type !== "branch") return { state, parts: [], waitsFor: LISTEN };
  const exit = held === null ? undefined : node.prompts?.[held];
  const by = exit?.next === undefined ? "otherwise" : (`prompts[${held ?? 0}].next` as const);
  const entered = enterNode(context, state, exit?.next ?? node.otherwise ?? node.id, by);
  if (exit === undefined) return entered;
  return decided({ nodeId, taken: "jump", result: exit.next ?? null, evidence: "model", score: null }, entered);
}

/** The result of a model's turn in a conversation. */
export type ConversationResult =
  | { readonly type: "said" }
  /** It left by this exit, with what it collected. */
  | { readonly type: "left"; readonly exit: number; readonly values: Readonly<Record<string, unknown>> }
  /** No model was available, or the one that spoke broke off. */
  | { readonly type: "failed" };

const FAILURES_MAX = 2;
const TURNS_MAX = 30;

export function resumeConversed(context: CallContext, state: FlowState, result: ConversationResult): Outcome {
  const { at } = state;
  const node = at.name === "conversing" ? nodeOf(context, at.nodeId) : null;
  if (at.name !== "conversing" || node?.type !== "conversation") return { state, parts: [], waitsFor: LISTEN };
  switch (result.type) {
    case "said": {
      const next = { ...state, at: { ...at, failures: 0 } };
      const isOver = at.turns >= (node.turnsMax ?? TURNS_MAX);
      return isOver
        ? enterNode(context, next, node.otherwise ?? node.id, "otherwise")
        : { state: next, parts: [], waitsFor: LISTEN };
    }
    case "left": {
      const values = Object.fromEntries(
        (node.saves ?? []).map(({ saveAs, kind }) => [saveAs, valueOfKind(result.values[saveAs], kind ?? "text")]),
      );
      const kept = collect(state, values);
      const own = node.exits[result.exit]?.next;
      const next = own ?? node.otherwise ?? node.id;
      const by = own === undefined ? "otherwise" : (`exits[${result.exit}].next` as const);
      return decided(
        { nodeId: node.id, taken: "jump", result: next, evidence: "model", score: null },
        after(kept.parts, enterNode(context, kept.state, next, by)),
      );
    }
    case "failed": {
      const failures = at.failures + 1;
      // What the flow can do without is not retried before anything was said.
      const attemptsMax = node.optional === true && at.turns === 0 ? 1 : FAILURES_MAX;
      if (failures >= attemptsMax) return enterNode(context, state, node.otherwise ?? node.id, "otherwise");
      const next = { ...state, at: { ...at, failures } };
      return { state: next, parts: say(phrase(context, "trouble"), true), waitsFor: LISTEN };
    }
  }
}
