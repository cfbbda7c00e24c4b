import { waitFor } from "@parley/time/within";
import type { ReplyPart } from "../ports/brain.ts";
import type { IntentRanker, IntentScore } from "../ports/intent-ranker.ts";
import type { DialPermission, MayDial } from "../ports/line.ts";
import { nodeOf, phrase, say, speak } from "./call-context.ts";
import type { FlowState } from "./flow-state.ts";
import { type ConverseDeps, converse, permitted, reportResults } from "./model/converse.ts";
import { judgePrompts } from "./model/judge-prompts.ts";
import type { Outcome, WaitsFor } from "./outcome.ts";
import { resumeConversed, resumeDialed, resumeJudged, resumeRanked, resumeRequested } from "./resume-flow.ts";

interface PerformDeps extends ConverseDeps {
  readonly ranker: IntentRanker | null;
  readonly mayDial: MayDial;
}

/** Ranking is quick or of no use: the callee waits. */
const RANKING_MS = 500;
const DIAL_MS = 5000;
const FILLER_AFTER_MS = 800;

/** Does what a flow waits for, and says what follows. Null when nothing does: it is the callee's turn, or it was aborted. */
export async function* performWait(
  deps: PerformDeps,
  wait: WaitsFor,
  currentState: () => FlowState,
  signal: AbortSignal,
): AsyncGenerator<ReplyPart, Outcome | null, undefined> {
  const { context, timers } = deps;
  switch (wait.type) {
    case "listen":
    case "over":
      return null;
    case "rank": {
      const late = new AbortController();
      const ranking = rank(deps, wait.text, wait.candidates, AbortSignal.any([signal, late.signal]));
      const waited = await waitFor(timers, RANKING_MS, ranking, signal);
      if (waited.type === "aborted") return null;
      if (waited.type === "done") return resumeRanked(context, currentState(), waited.value);
      const fault = new Error(`what was said could not be ranked within ${RANKING_MS} ms`);
      deps.noteFault(fault, "model_failed");
      late.abort(fault);
      return resumeRanked(context, currentState(), []);
    }
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
