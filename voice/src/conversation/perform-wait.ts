import { dayNumberOf, formatDay, localDateOf } from "@parley/flow/calendar";
import { waitFor } from "@parley/time/within";
import type {
  AnswerJudge,
  AnswerOpinion,
  JudgedAnswer,
  JudgedUtterance,
  RequestOpinion,
} from "../ports/answer-judge.ts";
import type { ReplyPart } from "../ports/brain.ts";
import type { IntentRanker, IntentScore } from "../ports/intent-ranker.ts";
import type { DialPermission, MayDial } from "../ports/line.ts";
import { plainText } from "../ports/speech-notation.ts";
import { askOf } from "./ask-question.ts";
import { nodeOf, phrase, say, speak } from "./call-context.ts";
import type { FlowState } from "./flow-state.ts";
import { askedQuestion, asksModelAbout, followSupposed, hearJudgedRequest } from "./hear-answer.ts";
import { classifyAnswer, judgePrompts } from "./model/classify-answer.ts";
import { type ConverseDeps, converse, permitted, reportResults } from "./model/converse.ts";
import { fillSlots } from "./model/fill-slots.ts";
import { explained, type Outcome, type WaitsFor } from "./outcome.ts";
import {
  resumeConversed,
  resumeDialed,
  resumeJudged,
  resumeJudgedAnswer,
  resumeRanked,
  resumeRequested,
} from "./resume-flow.ts";
import type { AnswerReading } from "./understanding/answer.ts";
import { type JudgedSlot, slotFound } from "./understanding/judge-slots.ts";
import { withValueOpinion } from "./understanding/judge-value.ts";
import { supportedValue } from "./understanding/later-slots.ts";
import { withCaution, withOpinions } from "./understanding/second-opinion.ts";
import { type FilledSlot, noteFilled } from "./understanding/volunteered.ts";
import { weighRequest } from "./understanding/weigh-requests.ts";

interface PerformDeps extends ConverseDeps {
  readonly ranker: IntentRanker | null;
  readonly judge?: AnswerJudge | null;
  readonly mayDial: MayDial;
}

/** Ranking is fast or useless: the callee is waiting. */
const RANKING_MS = 500;
const JUDGING_MS = 300;
/** A model is asked in addition to the rules, and the callee does not wait longer for it. */
const MODEL_MS = 1000;
const DIAL_MS = 5000;
const FILLER_AFTER_MS = 800;

/**
 * Does what a flow waits for, and returns what follows. Null when nothing does: it is the callee's turn, or it was
 * aborted.
 */
export async function* performWait(
  deps: PerformDeps,
  wait: WaitsFor,
  currentState: () => FlowState,
  signal: AbortSignal,
): AsyncGenerator<ReplyPart, Outcome | null, undefined> {
  const { context, timers } = deps;
  switch (wait.type) {
    case "listen": {
      const asked = deps.judge?.readAhead === undefined ? null : askedQuestion(context, currentState());
      if (asked !== null) deps.judge?.readAhead?.(asked);
      return null;
    }
    case "over":
      return null;
    case "request_opinion": {
      yield { type: "waits", on: "judges" };
      const [request, answer] = await Promise.all([
        opinionOnRequest(deps, wait.utterance, signal),
        wait.judged === null ? null : opinionOfJudge(deps, wait.judged, signal),
      ]);
      return signal.aborted ? null : hearJudgedRequest(context, currentState(), wait, { request, answer });
    }
    case "opinions":
      yield { type: "waits", on: "judges" };
      return weighOpinions(deps, wait, currentState, signal);
    case "request":
      return yield* request(deps, wait, currentState, signal);
    case "dial": {
      const waited = await waitFor(timers, DIAL_MS, permissionFor(deps, wait.to), signal);
      if (waited.type === "aborted") return null;
      const late: DialPermission = { isAllowed: false, reason: "nobody could say in time whether it may be called" };
      const permission = waited.type === "done" ? waited.value : late;
      return resumeDialed(context, currentState(), wait.nodeId, wait.to, permission);
    }
    case "judge": {
      const node = nodeOf(context, wait.nodeId);
      if (node.type !== "branch") return null;
      yield { type: "waits", on: "model" };
      const held = await judgePrompts(deps, currentState(), node, signal);
      if (signal.aborted) return null;
      yield { type: "model_asked", hasFailed: held === "failed" };
      return resumeJudged(context, currentState(), wait.nodeId, held === "failed" ? null : held);
    }
    case "converse": {
      const node = nodeOf(context, wait.nodeId);
      if (node.type !== "conversation") return null;
      const result = yield* converse(deps, node, currentState, signal);
      if (result === null || signal.aborted) return null;
      yield { type: "model_asked", hasFailed: result.type === "failed" };
      return resumeConversed(context, currentState(), result);
    }
  }
}

/** What follows from an answer once the other judges have read it. Null when it was aborted. */
async function weighOpinions(
  deps: PerformDeps,
  wait: Extract<WaitsFor, { type: "opinions" }>,
  currentState: () => FlowState,
  signal: AbortSignal,
): Promise<Outcome | null> {
  const { context } = deps;
  const [opinion, { reading, isJudged }, filled] = await Promise.all([
    wait.utterance === null ? null : opinionOnRequest(deps, wait.utterance, signal),
    withSecondOpinions(deps, wait, currentState(), signal),
    filledSlots(deps, wait, currentState(), signal),
  ]);
  if (signal.aborted) return null;
  const state = noteFilled(currentState(), wait.text, filled);
  const request = opinion === null ? wait.request : weighRequest(null, opinion);
  const supposed = followSupposed(context, state, wait.text, request, reading);
  if (supposed !== null) return explained(request.why, supposed);
  if (reading.type !== "none") {
    return explained(wait.request.why, resumeJudgedAnswer(context, state, reading, wait.text));
  }
  // The judge knows better than similarity that none of the exits was meant.
  const candidates = wait.candidates.filter(({ id }) => !isJudged || !id.startsWith("exit:"));
  const ranking =
    candidates.length === 0
      ? []
      : await within(deps, RANKING_MS, signal, (until) => rank(deps, wait.text, candidates, until));
  if (signal.aborted) return null;
  return explained(wait.request.why, resumeRanked(context, state, ranking ?? [], wait.text));
}

async function opinionOnRequest(
  deps: PerformDeps,
  utterance: JudgedUtterance,
  signal: AbortSignal,
): Promise<RequestOpinion | null> {
  const { judge = null } = deps;
  if (judge?.judgeRequest === undefined) return null;
  const work = async (until: AbortSignal) => {
    try {
      return await judge.judgeRequest?.(utterance, until);
    } catch (error) {
      if (!until.aborted) deps.noteFault(error, "model_failed");
      return null;
    }
  };
  return (await within(deps, JUDGING_MS, signal, work)) ?? null;
}

/** Asks the local judge and a language model at the same time. If one is late or missing, the rules stand. */
async function withSecondOpinions(
  deps: PerformDeps,
  { reading, judged, named, text }: Extract<WaitsFor, { type: "opinions" }>,
  state: FlowState,
  signal: AbortSignal,
): Promise<{ readonly reading: AnswerReading; readonly isJudged: boolean }> {
  const { context } = deps;
  if (judged === null || state.at.name !== "asking") return { reading, isJudged: false };
  if (named !== null) {
    const opinion = await opinionOfJudge(deps, judged, signal);
    if (opinion === null) return { reading, isJudged: false };
    return { reading: withValueOpinion(reading, askOf(context, state.at), text, named, opinion), isJudged: true };
  }
  const isTrusted = asksModelAbout(context, judged.said);
  const [opinion, chosen] = await Promise.all([
    opinionOfJudge(deps, judged, signal),
    isTrusted ? within(deps, MODEL_MS, signal, (until) => classifyAnswer(deps, judged, until)) : undefined,
  ]);
  const opinions = { judge: opinion, model: chosen };
  const judgedReading = withOpinions(reading, askOf(context, state.at), text, opinions);
  return {
    reading: context.asksModel && !isTrusted ? withCaution(judgedReading) : judgedReading,
    isJudged: opinions.judge !== null,
  };
}

/** What a language model, or else the judge, finds in the callee's words for later questions, as far as the words support it. */
async function filledSlots(
  deps: PerformDeps,
  { slots, judgedSlots, text }: Extract<WaitsFor, { type: "opinions" }>,
  state: FlowState,
  signal: AbortSignal,
): Promise<readonly FilledSlot[]> {
  const { context } = deps;
  const last = state.volunteered.at(-1);
  if (last === undefined || last.said !== text) return [];
  if (judgedSlots.length > 0) return judgeSlots(deps, judgedSlots, state, signal);
  if (slots.length === 0) return [];
  const { nowMs, timeZone } = context.reading;
  const question = state.at.name === "asking" ? plainText(speak(context, state, askOf(context, state.at).text)) : "";
  const facts = { slots, question, said: text, today: dayOf(nowMs, timeZone) };
  const found = await within(deps, MODEL_MS, signal, (until) => fillSlots(deps, facts, until));
  if (found === undefined) return [];
  return slots.map((slot) => {
    const value = found.find((each) => each.slot === slot)?.value ?? null;
    const supported = supportedValue(context, state, slot, value, last.words);
    return { nodeId: slot.nodeId, value: supported, by: "model" as const };
  });
}

async function judgeSlots(
  deps: PerformDeps,
  slots: readonly JudgedSlot[],
  state: FlowState,
  signal: AbortSignal,
): Promise<readonly FilledSlot[]> {
  const found = slots.map(async (slot) => {
    const opinion = await opinionOfJudge(deps, slot.judged, signal);
    return opinion === null ? null : slotFound(deps.context, state, slot, opinion);
  });
  return (await Promise.all(found)).filter((each) => each !== null);
}

function dayOf(ms: number, timeZone: string): string {
  const weekday = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long" }).format(ms);
  return `${weekday}, ${formatDay(dayNumberOf(localDateOf(ms, timeZone)))}`;
}

/** Null if there is no judge, or none that has answered in time. */
async function opinionOfJudge(
  deps: PerformDeps,
  judged: JudgedAnswer,
  signal: AbortSignal,
): Promise<AnswerOpinion | null> {
  const { judge = null, noteFault } = deps;
  if (judge === null) return null;
  const work = async (until: AbortSignal) => {
    try {
      return await judge.judge(judged, until);
    } catch (error) {
      if (!until.aborted) noteFault(error, "model_failed");
      return null;
    }
  };
  return (await within(deps, JUDGING_MS, signal, work)) ?? null;
}

/** The result if it arrives in time; undefined when it is late, which is recorded, or no longer needed. */
async function within<Value>(
  { timers, noteFault }: PerformDeps,
  limitMs: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  const late = new AbortController();
  const waited = await waitFor(timers, limitMs, work(AbortSignal.any([signal, late.signal])), signal);
  if (waited.type === "done") return waited.value;
  if (waited.type === "late") {
    const fault = new Error(`what was said could not be judged within ${limitMs} ms`);
    noteFault(fault, "model_failed");
    late.abort(fault);
  }
  return undefined;
}

async function rank(
  { ranker, noteFault }: PerformDeps,
  text: string,
  candidates: Parameters<IntentRanker["rank"]>[1],
  signal: AbortSignal,
): Promise<readonly IntentScore[]> {
  if (ranker === null) return [];
  try {
    return await ranker.rank(text, candidates, signal);
  } catch (error) {
    if (!signal.aborted) noteFault(error, "model_failed");
    return [];
  }
}

async function permissionFor({ mayDial, noteFault }: PerformDeps, to: string): Promise<DialPermission> {
  try {
    return await mayDial(to);
  } catch (error) {
    noteFault(error, "agent_failed");
    return { isAllowed: false, reason: "it could not be found out whether it may be called" };
  }
}

async function* request(
  { context, ledger }: PerformDeps,
  wait: Extract<WaitsFor, { type: "request" }>,
  currentState: () => FlowState,
  signal: AbortSignal,
): AsyncGenerator<ReplyPart, Outcome | null, undefined> {
  const node = nodeOf(context, wait.nodeId);
  const filler = node.type === "tool" ? node.filler : undefined;
  const fillerParts = () =>
    say(filler === undefined ? phrase(context, "moment") : speak(context, currentState(), filler), true);
  const permit = yield* permitted(ledger, fillerParts, signal);
  if (permit === "aborted") return null;
  const { id, isNew } = ledger.begin(wait.callId, wait.request);
  const { name, method, url, body } = wait.request;
  if (isNew) yield { type: "tool_call", id, name, input: { method, url, body } };
  yield { type: "waits", on: "tool" };
  const fillerAfterMs = context.plan.settings.fillerAfterMs ?? FILLER_AFTER_MS;
  let waited = await ledger.wait(id, permit === "filled" ? null : fillerAfterMs, signal);
  if (waited.type === "late") {
    yield* fillerParts();
    waited = await ledger.wait(id, null, signal);
  }
  if (waited.type !== "done") return null;
  yield* reportResults(ledger);
  return resumeRequested(context, currentState(), wait.nodeId, waited.value);
}
