import type { TranscriptItem } from "@parley/contract/transcripts";

type Decision = Pick<Extract<TranscriptItem, { type: "decision" }>, "taken" | "result" | "evidence" | "score" | "why">;

const EVIDENCE = {
  words: "by the words",
  expected_answer: "by comparing the audio with the expected answers",
  similarity: "by its meaning",
  keys: "by the keys pressed",
  judge: "by the local judge",
  model: "by the language model",
} as const;

/** What every agent can do on request. */
const REQUESTS: Readonly<Record<string, string>> = {
  repeat: "to hear the question again",
  anybody_there: "to know whether anyone is there",
  wait: "to wait",
  who_calls: "to know who is calling",
  is_machine: "to know whether it is a machine",
  human: "to speak to a person",
  goodbye: "to end the call",
  stop_calling: "no more calls",
  why: "why they are being called",
  scam: "whether this is a scam",
  number_source: "where the number comes from",
  how_long: "how long it takes",
  how_much: "what it costs",
  call_later: "to be called later",
  driving: "to be called later, while driving",
  speak_up: "to speak louder",
  slower: "to speak more slowly",
  other_language: "for another language",
};

/** How the agent interpreted the callee's turn, and why, in one line. */
export function decisionWords(decision: Decision): string {
  const reasons = (decision.why ?? []).map(({ says }) => says).join("; ");
  return reasons === "" ? outcomeWords(decision) : `${outcomeWords(decision)}. Because: ${reasons}`;
}

function outcomeWords({ taken, result, evidence, score }: Decision): string {
  const sure = score === null ? "" : `, ${Math.round(score * 100)}% sure`;
  const by = evidence === null ? "" : ` (${EVIDENCE[evidence]}${sure})`;
  const value = typeof result === "boolean" ? (result ? "yes" : "no") : String(result);
  switch (taken) {
    case "answer":
      return `Understood: ${value}${by}`;
    case "ask_back":
      return result === null ? `Asked again${by}` : `Asked back: ${value}?${by}`;
    case "jump":
      return `Went to step ${value}${by}`;
    case "request":
      return `Asked ${REQUESTS[value] ?? value}${by}`;
    case "not_understood":
      return "Not understood";
  }
}
