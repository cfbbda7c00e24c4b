import {
  type AnswerOpinion,
  CALLEE_REQUESTS,
  type CalleeRequest,
  type RequestOpinion,
} from "../../ports/answer-judge.ts";
import type { AnswerEvidence, Finding } from "./answer.ts";
import { BY_WORDS } from "./answer.ts";

/**
 * How much more likely a request is if the rules found it: how often they find it where it was made, by how often where it was
 * not. Higher trusts the rules more; a classifier that sees none with a probability of 1 - 1/factor cancels them out.
 */
const RULE_FACTOR = 100;

/** How likely a request must be to follow it. Lower follows more of them, including some that were not made. */
const LIMITS = {
  /** The call goes on after it. */
  answered: 0.5,
  /** The call ends, or the callee is never called again. */
  final: 0.95,
  /** Of one that the rules found, when nothing else is likelier. */
  found: 0.3,
  /** To outweigh an answer that would be asked about. */
  certain: 0.8,
} as const;

/**
 * From this probability of an exit the rules count no more than the classifier: "I'm driving, on Friday." says how the callee
 * comes. A callee who reports a death should not be asked back about it.
 */
const ANSWER_LIMITS = { usual: 0.6, death: 0.88 } as const;

/** Wrongly assumed, these lose the call. */
const FINAL: ReadonlySet<CalleeRequest> = new Set([
  "stop_calling",
  "deceased",
  "wrong_number",
  "not_person",
  "child",
  "driving",
  "call_later",
  "goodbye",
]);

/** What the callee most likely wants besides answering, and what that rests on. */
export interface WeighedRequest {
  readonly request: CalleeRequest | null;
  readonly by: AnswerEvidence;
  /**
   * - found: by the rules, which know how it relates to an answer beside it.
   * - supposed: by the classifier alone, so an answer beside it outweighs it. `certain`: only one that is clear.
   */
  readonly certainty: "found" | "certain" | "supposed";
  readonly why: readonly Finding[];
}

/** Final requests whose words also occur in answers, so that the judge of answers is asked as well. */
export const MAY_BE_ANSWER: ReadonlySet<CalleeRequest> = new Set([
  "deceased",
  "wrong_number",
  "not_person",
  "child",
  "driving",
  "goodbye",
]);

/**
 * Weighs what the rules found together with a classifier's opinion, and with what the judge makes of the same words as an
 * answer. The rules alone decide if there is no opinion, and that a callee must not be called again.
 */
export function weighRequest(
  found: CalleeRequest | null,
  opinion: RequestOpinion | null,
  answer: AnswerOpinion | null = null,
): WeighedRequest {
  const byRules: WeighedRequest = { request: found, by: BY_WORDS, certainty: "found", why: [] };
  if (opinion === null || found === "stop_calling") return byRules;
  const limit = found === "deceased" ? ANSWER_LIMITS.death : ANSWER_LIMITS.usual;
  const isAnswer = answer !== null && Math.max(...answer.exits) >= limit;
  const factor = isAnswer ? 1 : RULE_FACTOR;
  const odds = CALLEE_REQUESTS.map((name) => opinion.requests[name] * (name === found ? factor : 1));
  const total = odds.reduce((sum, each) => sum + each, opinion.none);
  const shares = CALLEE_REQUESTS.map((name, index) => ({ name, score: (odds[index] ?? 0) / total }));
  const best = shares.reduce((one, other) => (other.score > one.score ? other : one));
  const says = (text: string): Finding => ({ judge: "requests", says: `${text} (${best.score.toFixed(2)})` });
  if (found !== null && best.name === found && best.score >= LIMITS.found) {
    return { ...byRules, why: [says(`${found} is confirmed`)] };
  }
  if (best.score >= (FINAL.has(best.name) ? LIMITS.final : LIMITS.answered)) {
    const certainty = best.score >= LIMITS.certain ? "certain" : "supposed";
    const by = { evidence: "judge", score: best.score } as const;
    return { request: best.name, by, certainty, why: [says(`sounds like ${best.name}`)] };
  }
  const why = found === null ? [] : [says(`${found} was not meant`)];
  return { ...byRules, request: null, why };
}
