import type { TranscriptItem } from "@parley/contract/transcripts";
import { expect, test } from "vitest";
import { linesOfTranscript } from "./try-call.tsx";

const speech = (role: "agent" | "callee", text: string, heardText = text): TranscriptItem => ({
  type: "speech",
  role,
  turn: 0,
  text,
  revisedText: null,
  heardText,
  interrupted: heardText !== text,
  startMs: 0,
  endMs: 0,
  words: [],
  timing: null,
});

test("a watched call reads like a try, and its path through the flow is known", () => {
  const { lines, path } = linesOfTranscript(
    [
      { type: "node", nodeId: "start", startMs: 0 },
      { type: "node", nodeId: "greeting", exit: "next", startMs: 0 },
      speech("agent", "Hello there.", "Hello"),
      speech("callee", "Hi."),
      { type: "dtmf", key: "1", by: "callee", startMs: 0 },
    ],
    { nodes: [] },
  );
  expect(path).toEqual([{ nodeId: "start" }, { nodeId: "greeting", exit: "next" }]);
  expect(lines.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    "agent: Hello there.",
    "aside: The callee had heard: “Hello”",
    "callee: Hi.",
    "aside: The callee pressed 1",
  ]);
  expect(lines[0]?.nodeId).toBe("greeting");
});
