import type { Incident } from "@parley/contract/incidents";
import { REPLY_STAGES, type ReplyTiming, type TranscriptItem } from "@parley/contract/transcripts";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { delayInWords, LatencyPerTurn, ReplyDelay, stagesOf } from "./reply-delay.tsx";

const BEFORE_STAGES: ReplyTiming = {
  holdMs: 240,
  recognitionMs: 0,
  decisionMs: 60,
  firstAudioMs: 100,
  totalMs: 400,
  ducks: 0,
  interruptions: 0,
  undos: 0,
};
const timed = (totalMs: number, stages: ReplyTiming["stages"]): ReplyTiming => ({ ...BEFORE_STAGES, totalMs, stages });

test("every stage is described in plain words, none by its code", () => {
  for (const stage of REPLY_STAGES) {
    const words = delayInWords(timed(1_200, [{ stage, ms: 1_200 }]));
    expect(words).toMatch(/^Answered after 1\.2 s: [a-z ,]+ 1\.2 s$/);
  }
});

test("every stage has its own colour and name", () => {
  const all = REPLY_STAGES.map((stage) => ({ stage, ms: 1 }));
  const stages = stagesOf(timed(all.length, all));
  expect(new Set(stages.map(({ colour }) => colour)).size).toBe(REPLY_STAGES.length);
  expect(new Set(stages.map(({ name }) => name)).size).toBe(REPLY_STAGES.length);
});

test("the slowest stage is named, wherever it is in the order", () => {
  const stages = [
    { stage: "hold", ms: 300 },
    { stage: "model", ms: 1_900 },
    { stage: "voice", ms: 40 },
  ] as const;
  expect(delayInWords(timed(2_240, stages))).toBe("Answered after 2.2 s: the language model took 1.9 s");
  expect(delayInWords(timed(40, stages.slice(2)))).toBe("Answered after 40 ms: the voice took 40 ms");
});

test("a reply without any delay names no stage", () => {
  expect(delayInWords(timed(0, []))).toBe("Answered after 0 ms");
});

test("a reply of an earlier release has the stages that were known then", () => {
  expect(stagesOf(BEFORE_STAGES).map(({ stage, ms }) => [stage, ms])).toEqual([
    ["hold", 240],
    ["flow", 60],
    ["voice", 100],
  ]);
});

test("the bar is hidden from screen readers, which get the stages as text, also not announced during a call", () => {
  const { container } = render(<ReplyDelay timing={BEFORE_STAGES} />);
  expect(screen.getByText(/^Making sure the callee had finished: 240 ms, Deciding what to say: 60 ms/)).toBeDefined();
  const bar = container.querySelector('[aria-hidden="true"]');
  expect(bar?.children).toHaveLength(3);
  expect(container.querySelector('[aria-live="off"]')?.contains(bar)).toBe(true);
});

const reply = (turn: number, timing: ReplyTiming): TranscriptItem => ({
  type: "speech",
  role: "agent",
  turn,
  text: "Good.",
  heardText: "Good.",
  revisedText: null,
  interrupted: false,
  startMs: 0,
  endMs: 1,
  words: [],
  timing,
});

test("the latency of a call names the slowest stage and the failures of each turn, and explains what it shows", () => {
  const incident: Incident = {
    at: "2026-01-31T09:30:00.000Z",
    what: "model_failed",
    reason: "it said nothing in time",
    effect: "The agent waited longer for a language model.",
    count: 1,
    turns: [3],
  };
  const items = [reply(2, BEFORE_STAGES), reply(3, timed(4_000, [{ stage: "model", ms: 4_000 }]))];
  render(<LatencyPerTurn latency={null} incidents={[incident]} items={items} />);
  const [, first, second] = screen.getAllByRole("row");
  expect(first?.textContent).toContain("Answered after 0.4 s: making sure the callee had finished took 0.2 s");
  expect(first?.textContent).not.toContain("Cause");
  expect(second?.textContent).toContain("Answered after 4.0 s: the language model took 4.0 s");
  expect(second?.textContent).toContain("Cause: It said nothing in time.");
  const legend = screen.getAllByRole("list").at(-1);
  expect([...(legend?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    "Making sure the callee had finished",
    "Language model",
    "Deciding what to say",
    "Voice, until its first audio",
  ]);
});

test("replies are counted from one, and only several of them have a median and a percentile", () => {
  const latency = { turns: 1, interruptions: 0, responseMsP50: 400, responseMsP95: 400 } as never;
  const show = (...items: TranscriptItem[]) =>
    render(<LatencyPerTurn latency={latency} incidents={[]} items={items} />).container.textContent;
  const single = show(reply(2, BEFORE_STAGES));
  expect(single).toContain("Reply 1");
  expect(single).not.toContain("percentile");
  expect(show(reply(2, BEFORE_STAGES), reply(5, BEFORE_STAGES))).toMatch(/95th percentile.*Reply 1.*Reply 2/);
});
