import type { TranscriptItem } from "@parley/contract/transcripts";
import { expect, test } from "vitest";
import { currentLine, joinSteps, partHeard } from "./transcript.tsx";

const step = (nodeId: string, startMs: number): TranscriptItem => ({ type: "node", nodeId, startMs });
const said = (startMs: number): TranscriptItem => ({
  type: "speech",
  role: "agent",
  turn: 1,
  text: "Hello.",
  heardText: "Hello.",
  interrupted: false,
  startMs,
  endMs: startMs + 1000,
  revisedText: null,
  words: [],
  timing: null,
});

test("the current line is the last that started, whatever was done since", () => {
  const items = [step("start", 0), said(500), step("ask", 2000), said(4000)];
  expect([0, 500, 3000, 4000, 99_000].map((ms) => currentLine(items, ms))).toEqual([null, 1, 1, 3, 3]);
});

test("what the callee did not hear is distinguished", () => {
  expect(partHeard("Hello. How are you?", "Hello.")).toEqual({ heard: "Hello.", unheard: " How are you?" });
  expect(partHeard("Hello.", "Hello.")).toEqual({ heard: "Hello.", unheard: "" });
  expect(partHeard("At 10.", "at ten")).toEqual({ heard: "at ten", unheard: "" });
});

test("steps without a word between them are one line", () => {
  const lines = joinSteps([step("start", 0), step("greeting", 0), said(10), step("end", 20)]);
  expect(lines.map((line) => (line.type === "node" ? line.nodeId : line.type))).toEqual([
    "start → greeting",
    "speech",
    "end",
  ]);
});
