import { NewScenario } from "@parley/contract/scenarios";
import type { TranscriptItem } from "@parley/contract/transcripts";
import { describe, expect, it } from "vitest";
import { type PastCall, scenarioOfCall } from "./scenario-of-call.ts";

type Speech = Extract<TranscriptItem, { type: "speech" }>;

let nextMs = 0;

function said(role: Speech["role"], turn: number, text: string, more: Partial<Speech> = {}): Speech {
  nextMs += 2000;
  return {
    type: "speech",
    role,
    turn,
    text,
    revisedText: null,
    heardText: text,
    interrupted: false,
    startMs: nextMs,
    endMs: nextMs + 1500,
    words: [],
    timing: null,
    ...more,
  };
}

function callOf(items: readonly TranscriptItem[], more: Partial<PastCall> = {}): PastCall {
  return {
    answeredBy: "human",
    endReason: "agent_hangup",
    endedBy: "agent",
    wasSuppressed: false,
    variables: { name: "Ada" },
    collected: { outcome: "confirmed", guests: 4, note: null },
    items,
    ...more,
  };
}

const stepsOf = (items: readonly TranscriptItem[], more: Partial<PastCall> = {}) =>
  NewScenario.parse(scenarioOfCall(callOf(items, more), "A call")).steps;

describe("a scenario created from a call", () => {
  it("has the callee repeat its lines, in the best available transcription", () => {
    const items = [
      said("callee", 0, "Hello?"),
      said("agent", 0, "Will you come?"),
      said("callee", 1, "I will calm.", { revisedText: "I will come." }),
      said("agent", 1, "Goodbye."),
    ];
    expect(stepsOf(items)).toEqual([{ say: "I will come." }]);
  });

  it("knows silence, keys, interruptions and hanging up", () => {
    const items: TranscriptItem[] = [
      said("agent", 0, "Will you come?"),
      said("agent", 1, "Are you still there?"),
      { type: "dtmf", key: "1", by: "callee", startMs: nextMs + 1 },
      { type: "dtmf", key: "2", by: "callee", startMs: nextMs + 2 },
      said("agent", 2, "One moment, I will look for a day that suits you", {
        interrupted: true,
        startMs: 20_000,
        endMs: 21_000,
      }),
      said("callee", 3, "Wait", { startMs: 20_700, endMs: 21_100 }),
    ];
    expect(stepsOf(items, { endReason: "callee_hangup", endedBy: "callee" })).toEqual([
      ...[{ silent: true }, { press: "12" }, { interruptAfterMs: 700, say: "Wait" }, { hangUp: true }],
    ]);
  });

  it("counts an interruption from where the agent began to speak, even with several nodes in one turn", () => {
    const items = [
      said("agent", 1, "Hello.", { startMs: 1_000, endMs: 1_500 }),
      said("agent", 1, "Will you come?", { startMs: 1_500, endMs: 2_400, interrupted: true }),
      said("callee", 2, "Wait", { startMs: 2_200, endMs: 2_500 }),
    ];
    expect(stepsOf(items)).toEqual([{ interruptAfterMs: 1_200, say: "Wait" }]);
  });

  it("has the machine answer that answered", () => {
    const items = [said("agent", 0, "Please call us back.")];
    expect(stepsOf(items, { answeredBy: "voicemail", endReason: "voicemail_left" })).toEqual([
      { machine: "voicemail" },
    ]);
  });

  it("expects the same end, the last node and what was collected", () => {
    const items: TranscriptItem[] = [
      { type: "node", nodeId: "decision", startMs: 0 },
      said("agent", 0, "Will you come?"),
      { type: "node", nodeId: "bye", startMs: 9 },
    ];
    expect(scenarioOfCall(callOf(items), "A call").expect).toEqual([
      { type: "ended", reason: "agent_hangup" },
      { type: "reached", nodeId: "bye" },
      { type: "collected", name: "outcome", equals: "confirmed" },
      { type: "collected", name: "guests", equals: 4 },
      { type: "not_suppressed" },
    ]);
    const lost = scenarioOfCall(callOf(items, { endReason: "worker_lost", wasSuppressed: true }), "A call").expect;
    expect(lost).not.toContainEqual(expect.objectContaining({ type: "ended" }));
    expect(lost).toContainEqual({ type: "suppressed" });
  });
});
