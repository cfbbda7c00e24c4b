import type { FlowNode } from "@parley/contract/flow";
import type { Incident } from "@parley/contract/incidents";
import type { ReplyTiming, TranscriptItem } from "@parley/contract/transcripts";
import { render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { currentLine, joinSteps, linesOfTurns, partHeard, recognitionInWords, Transcript } from "./transcript.tsx";

const step = (nodeId: string, startMs: number): TranscriptItem => ({ type: "node", nodeId, startMs });
type Speech = Extract<TranscriptItem, { type: "speech" }>;
const said = (startMs: number, more: Partial<Pick<Speech, "role" | "turn" | "timing">> = {}): TranscriptItem => ({
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
  ...more,
});

test("the current line is the last that started, whatever was done since", () => {
  const items = [step("start", 0), said(500), step("ask", 2000), said(4000)];
  expect([0, 500, 3000, 4000, 99_000].map((ms) => currentLine(joinSteps(items), ms))).toEqual([null, 1, 1, 3, 3]);
});

test("what the callee did not hear is distinguished", () => {
  expect(partHeard("Hello. How are you?", "Hello.")).toEqual({ heard: "Hello.", unheard: " How are you?" });
  expect(partHeard("Hello.", "Hello.")).toEqual({ heard: "Hello.", unheard: "" });
  expect(partHeard("At 10.", "at ten")).toEqual({ heard: "at ten", unheard: "" });
});

test("what recognition says of the callee's words is shown beside them", () => {
  expect(recognitionInWords({ confidence: 0.917, language: "es" })).toBe(" · recognized with 92% confidence · Spanish");
  expect(recognitionInWords({})).toBe("");
});

test("steps without a word between them are one line", () => {
  const lines = joinSteps([step("start", 0), step("greeting", 0), said(10), step("end", 20)]);
  expect(lines.map((line) => (line.type === "steps" ? line.nodeIds : line.type))).toEqual([
    ["start", "greeting"],
    "speech",
    ["end"],
  ]);
});

const TIMING: ReplyTiming = {
  holdMs: 240,
  recognitionMs: 910,
  decisionMs: 30,
  firstAudioMs: 220,
  totalMs: 1_400,
  ducks: 0,
  interruptions: 0,
  undos: 0,
  stages: [
    { stage: "hold", ms: 240 },
    { stage: "recognition_queue", ms: 800 },
    { stage: "recognition", ms: 110 },
    { stage: "flow", ms: 30 },
    { stage: "voice", ms: 220 },
  ],
};
const INCIDENT: Incident = {
  at: "2026-01-31T09:30:00.000Z",
  what: "recognition_failed",
  reason: "the recognizer ended",
  effect: "We could not understand something the callee said.",
  count: 3,
};

const FLOW = {
  nodes: [
    { id: "ask_2", type: "say", label: "Ask for the day", text: "Hello." },
    { id: "part__who", type: "say", label: "Booking › Who is coming?", text: "Hello." },
  ] as FlowNode[],
};

function renderTranscript(items: readonly TranscriptItem[], incidents: readonly Incident[] = []) {
  const playback = { isBegun: false, isFollowed: false, positionMs: 0, playFrom: vi.fn() };
  render(<Transcript items={items} flow={FLOW} incidents={incidents} isLive={false} playback={playback} />);
  const lines = [...screen.getByRole("list", { name: "Transcript" }).children];
  return lines.map((line) => within(line as HTMLElement));
}

test("a reply shows how long the callee waited, names the slowest stage, and lists all of them", () => {
  const [callee, agent] = renderTranscript([
    said(0, { role: "callee", turn: 2 }),
    said(1_400, { turn: 2, timing: TIMING }),
  ]);
  expect(agent?.getByText("Answered after 1.4 s: speech recognition waited 0.8 s")).toBeDefined();
  expect(agent?.getByText(/Speech recognition, waiting: 800 ms, Speech recognition, working: 110 ms/)).toBeDefined();
  expect(callee?.queryByText(/Answered after/)).toBeNull();
});

test("a failure on our side is shown beside the reply of each of its turns, once", () => {
  const lines = renderTranscript(
    [
      said(0),
      said(1_000, { role: "callee", turn: 2 }),
      said(2_000, { turn: 2 }),
      said(3_000, { turn: 2 }),
      said(4_000, { turn: 3 }),
    ],
    [
      { ...INCIDENT, turns: [2, 3] },
      { ...INCIDENT, reason: "another reason" },
    ],
  );
  const shown = lines.map((line) => line.queryByRole("list", { name: /Problems on our side/ })?.textContent ?? null);
  const text = "We could not understand something the callee said. Cause: The recognizer ended.";
  expect(shown).toEqual([null, null, text, null, text]);
});

test("a failure in a turn without a reply is shown beside what the callee said", () => {
  const items = [said(0), step("ask", 500), said(1_000, { role: "callee", turn: 2 })];
  expect([...linesOfTurns(joinSteps(items))]).toEqual([
    [1, 0],
    [2, 2],
  ]);
  const [, , callee] = renderTranscript(items, [{ ...INCIDENT, turns: [2] }]);
  expect(callee?.getByText(/The recognizer ended/)).toBeDefined();
});

test("steps are named by the titles that their author gave, and by their ids where the version has no such node", () => {
  const [steps, decision] = renderTranscript([
    step("ask_2", 0),
    step("part__who", 0),
    step("ask_9", 0),
    {
      ...{ type: "decision", turn: 1, nodeId: "ask_2", taken: "jump", result: "part__who" },
      ...{ evidence: "words", score: null, startMs: 10 },
    },
  ]);
  expect(steps?.getByText("Step: Ask for the day → Booking › Who is coming? → ask_9")).toBeDefined();
  expect(decision?.getByText("Went to step “Booking › Who is coming?” (by the words)")).toBeDefined();
});
