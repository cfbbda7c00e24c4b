import type { Flow } from "@parley/contract/flow";
import type { TranscriptItem } from "@parley/contract/transcripts";
import { apiText } from "../../../api/text.ts";
import { titleOfId } from "../../flow-editor/sub-flows/outer-node.ts";
import { callPageText } from "./text.tsx";

type Decision = Pick<Extract<TranscriptItem, { type: "decision" }>, "taken" | "result" | "evidence" | "score" | "why">;

/** What every agent can do on request. */
const REQUESTS: Readonly<Record<string, string>> = callPageText.requests;

/** How the agent interpreted the callee's turn, and why, in one line. Nodes are named by their titles in the flow. */
export function decisionWords(decision: Decision, flow: Pick<Flow, "nodes">): string {
  const reasons = (decision.why ?? []).map(({ says }) => apiText.wordFinding(says)).join("; ");
  const outcome = outcomeWords(decision, flow);
  return reasons === "" ? outcome : callPageText.because(outcome, reasons);
}

function outcomeWords({ taken, result, evidence, score }: Decision, flow: Pick<Flow, "nodes">): string {
  const by = evidence === null ? "" : ` (${evidenceWords(evidence, score)})`;
  const value =
    typeof result === "boolean" ? (result ? callPageText.understoodYes : callPageText.understoodNo) : String(result);
  switch (taken) {
    case "answer":
      return callPageText.understood(value, by);
    case "ask_back":
      return result === null ? callPageText.askedAgain(by) : callPageText.askedBack(value, by);
    case "jump":
      return callPageText.wentToStep(titleOfId(flow, value), by);
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
