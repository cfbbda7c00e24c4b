import type { TranscriptItem } from "@parley/contract/transcripts";
import { expect, it } from "vitest";
import { pathSteps } from "./path-steps.ts";

const node = (nodeId: string, startMs = 0): TranscriptItem => ({ type: "node", nodeId, startMs });
const speech = (role: "agent" | "callee", text: string, startMs: number, revisedText: string | null = null) =>
  ({
    type: "speech",
    role,
    turn: 1,
    text,
    revisedText,
    heardText: text,
    interrupted: false,
    startMs,
    endMs: startMs + 500,
    words: [],
    timing: null,
  }) satisfies TranscriptItem;

it("is the nodes in their order, with a question that was asked again counted once", () => {
  const note: TranscriptItem = { type: "note", text: "Rang", startMs: 0 };
  const steps = pathSteps([node("start"), node("ask"), note, node("ask"), node("say"), node("ask")]);
  expect(steps.map(({ nodeId }) => nodeId)).toEqual(["start", "ask", "say", "ask"]);
  expect(pathSteps([])).toEqual([]);
  const left = pathSteps([node("ask"), { ...node("say"), exit: "exits[1].next" } as TranscriptItem]);
  expect(left.map(({ exit }) => exit)).toEqual([undefined, "exits[1].next"]);
});

it("has what was said at each step, and when the agent started to speak there", () => {
  const items = [
    speech("callee", "Hello?", 100),
    node("start", -20),
    node("ask", 900),
    speech("agent", "Will you come?", 1200),
    speech("callee", "Yes eye will.", 2500, "Yes I will."),
    node("ask", 2900),
    speech("agent", "Pardon?", 3100),
    node("bye", 4000),
  ];
  expect(pathSteps(items)).toEqual([
    { nodeId: "start", atMs: 0, said: [] },
    {
      nodeId: "ask",
      atMs: 1200,
      said: [
        { role: "agent", text: "Will you come?" },
        { role: "callee", text: "Yes I will." },
        { role: "agent", text: "Pardon?" },
      ],
    },
    { nodeId: "bye", atMs: 4000, said: [] },
  ]);
});

it("assigns what the agent said at a node to that node", () => {
  const steps = pathSteps([
    node("ask", 100),
    speech("agent", "Will you come?", 100),
    speech("callee", "Yes.", 2000),
    node("note_it", 3000),
    node("thanks", 3000),
    speech("agent", "Thanks.", 3000),
    node("bye", 3400),
    speech("agent", "See you then.", 3400),
  ]);
  expect(steps.map(({ nodeId, said }) => [nodeId, ...said.map(({ text }) => text)])).toEqual([
    ["ask", "Will you come?", "Yes."],
    ["note_it"],
    ["thanks", "Thanks."],
    ["bye", "See you then."],
  ]);
});
