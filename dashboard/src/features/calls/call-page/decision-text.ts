import type { TranscriptItem } from "@parley/contract/transcripts";
import { apiText } from "../../../api/text.ts";
import { callPageText } from "./text.tsx";

type Decision = Pick<Extract<TranscriptItem, { type: "decision" }>, "taken" | "result" | "evidence" | "score" | "why">;

/** What every agent can do on request. */
const REQUESTS: Readonly<Record<string, string>> = callPageText.requests;

/** How the agent interpreted the callee's turn, and why, in one line. */
export function decisionWords(decision: Decision): string {
  const reasons = (decision.why ?? []).map(({ says }) => apiText.wordFinding(says)).join("; ");
  return reasons === "" ? outcomeWords(decision) : callPageText.because(outcomeWords(decision), reasons);
}

function outcomeWords({ taken, result, evidence, score }: Decision): string {
  const by = evidence === null ? "" : ` (${evidenceWords(evidence, score)})`;
  const value =
    typeof result === "boolean" ? (result ? callPageText.understoodYes : callPageText.understoodNo) : String(result);
  switch (taken) {
    case "answer":
      return callPageText.understood(value, by);
    case "ask_back":
      return result === null ? callPageText.askedAgain(by) : callPageText.askedBack(value, by);
    case "jump":
      return callPageText.wentToStep(value, by);
    case "request":
      return callPageText.requested(REQUESTS[value] ?? value, by);
    case "not_understood":
      return callPageText.notUnderstood;
  }
}

function evidenceWords(evidence: NonNullable<Decision["evidence"]>, score: number | null): string {
  const words = callPageText.evidence[evidence];
  return score === null ? words : callPageText.evidenceAndScore(words, Math.round(score * 100));
}
