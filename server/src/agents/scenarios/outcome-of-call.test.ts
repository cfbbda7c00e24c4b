import type { TranscriptItem } from "@parley/contract/transcripts";
import { describe, expect, it } from "vitest";
import { outcomeOfCall } from "./advance-run.ts";

type Speech = Extract<TranscriptItem, { type: "speech" }>;

const said = (
  role: Speech["role"],
  turn: number,
  startMs: number,
  endMs: number,
  text: string,
  heardText = text,
): Speech => ({
  type: "speech",
  role,
  turn,
  text,
  revisedText: null,
  heardText,
  interrupted: heardText !== text,
  startMs,
  endMs,
  words: [],
  timing: null,
});

const ITEMS: readonly TranscriptItem[] = [
  said("callee", 0, 0, 400, "Hello."),
  { type: "node", nodeId: "greeting", startMs: 500 },
  said("agent", 1, 500, 900, "Hello."),
  { type: "node", nodeId: "decision", startMs: 900 },
  said("agent", 1, 900, 4000, "Will you come?"),
  { type: "dtmf", key: "2", by: "callee", startMs: 4500 },
  said("callee", 2, 5000, 5600, "Yes."),
  { type: "node", nodeId: "bye", startMs: 6000 },
  said("agent", 2, 6000, 9000, "Wonderful. Goodbye then.", "Wonderful."),
  { type: "tool_call", id: "t1", name: "lookup", input: {}, startMs: 6003 },
  said("agent", 3, 9500, 9500, "Nobody heard it.", ""),
];

const outcome = outcomeOfCall(
  {
    endReason: "callee_hangup",
    collected: { comes: true, list: [1] },
    items: ITEMS,
    events: [
      { type: "call.number_suppressed", data: {} },
      { type: "call.transfer", data: { state: "trying" } },
    ],
  },
  { steps: [{ say: "Yes." }] },
);

describe("the outcome of a call, from its record", () => {
  it("reports that the machine was too busy to hold it", () => {
    const timing = {
      holdMs: 0,
      recognitionMs: 0,
      decisionMs: 0,
      firstAudioMs: 0,
      ducks: 0,
      interruptions: 0,
      undos: 0,
    };
    const late = { ...said("agent", 1, 9000, 9500, "Goodbye."), timing: { ...timing, totalMs: 8600 } };
    const items = [said("callee", 1, 0, 400, "Yes."), late];
    const slow = outcomeOfCall({ endReason: null, collected: null, items, events: [] }, { steps: [] });
    expect(slow.faults).toEqual(["the agent took 9 seconds to answer, because the machine is too busy"]);
    expect(outcome.faults).toEqual([]);
  });

  it("is what was heard, with the turn and the node at which it was said", () => {
    expect(outcome.lines).toEqual([
      { role: "callee", text: "Hello.", step: 0, nodeId: null },
      { role: "agent", text: "Hello.", step: 1, nodeId: "greeting" },
      { role: "agent", text: "Will you come?", step: 1, nodeId: "decision" },
      { role: "callee", text: "[presses 2]", step: 1, nodeId: "decision" },
      { role: "callee", text: "Yes.", step: 2, nodeId: "decision" },
      { role: "agent", text: "Wonderful.", step: 2, nodeId: "bye" },
    ]);
  });

  it("contains its path, collected values, tool requests and timeline entries", () => {
    expect(outcome.visits.map(({ nodeId }) => nodeId)).toEqual(["greeting", "decision", "bye"]);
    expect(outcome).toMatchObject({
      collected: { comes: true, list: null },
      endReason: "callee_hangup",
      transfers: [],
      suppressedAtStep: 3,
      toolCalls: [{ name: "lookup", step: 2 }],
    });
  });
});
