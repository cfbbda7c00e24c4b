import type { JournalEntry, TurnTiming } from "@parley/voice/ports/conversation-journal";
import { describe, expect, test } from "vitest";
import { TranscriptDraft } from "./transcript-draft.ts";

const callee = (turnId: number, text: string, startMs = 0): JournalEntry => ({
  type: "callee_said",
  turnId,
  text,
  startMs,
  endMs: startMs + 400,
  words: [],
});
const agent = (turnId: number, text: string, heardText = text): JournalEntry => ({
  type: "agent_said",
  turnId,
  text,
  heardText,
  wasInterrupted: heardText !== text,
  startMs: 1000,
  endMs: 2000,
  words: [],
});
const timing = (turnId: number, totalMs: number): JournalEntry => ({
  type: "turn_timing",
  timing: { ...NO_TIME, turnId, totalMs },
});
const NO_TIME: TurnTiming = {
  turnId: 0,
  holdMs: 200.4,
  recognitionMs: 0,
  decisionMs: 1,
  firstAudioMs: 2,
  totalMs: 0,
  stages: [{ stage: "hold", ms: 200 }],
  ducks: 0,
  interruptions: 1,
  undos: 0,
};

function draftOf(...entries: readonly JournalEntry[]): TranscriptDraft {
  const draft = new TranscriptDraft();
  for (const entry of entries) draft.note(entry);
  return draft;
}

const textsOf = (draft: TranscriptDraft) =>
  draft.take().items.map(({ item }) => (item.type === "speech" ? `${item.role}: ${item.heardText}` : item.type));

describe("what a conversation notes", () => {
  test("is numbered in order, across commits, and delivered once", () => {
    const draft = draftOf(callee(1, "Hello?"), agent(1, "Good morning."));
    expect(draft.take().items.map(({ ordinal }) => ordinal)).toEqual([1, 2]);
    expect(draft.hasChanges).toBe(false);
    draft.note(callee(2, "Yes."));
    expect(draft.take().items.map(({ ordinal }) => ordinal)).toEqual([3]);
  });

  test("has the confidence and the language of recognition where it says so", () => {
    const [item] = draftOf({
      ...callee(1, "Sí, claro."),
      confidence: 0.98765,
      language: "es-ES",
    } as JournalEntry).take().items;
    expect(item?.item).toMatchObject({ type: "speech", confidence: 0.988, language: "es-ES" });
    const [plain] = draftOf(callee(1, "Yes.")).take().items;
    expect(plain?.item).not.toHaveProperty("confidence");
  });

  test("says once which other language the callee speaks", () => {
    const draft = draftOf({ type: "language_noticed", language: "es", atMs: 10 });
    expect(draft.hasChanges).toBe(true);
    expect(draft.take()).toMatchObject({ calleeLanguage: "es", items: [] });
    expect(draft.take().calleeLanguage).toBeNull();
  });

  test("has times that count from the answer, and what happened while it rang counts as then", () => {
    const draft = new TranscriptDraft();
    draft.answeredAt(6_020);
    draft.note({ type: "entered", nodeId: "hello", atMs: 300 });
    draft.note(callee(1, "Hello?", 6_520));
    expect(draft.take().items.map(({ item }) => item.startMs)).toEqual([0, 500]);
  });

  test("records the full text of a reply, how much of it was heard, and its timing", () => {
    const draft = draftOf(timing(2, 431.6), agent(2, "We are open until six.", "We are open"));
    expect(draft.take().items[0]?.item).toMatchObject({
      role: "agent",
      text: "We are open until six.",
      heardText: "We are open",
      interrupted: true,
      timing: { totalMs: 432, holdMs: 200, stages: [{ stage: "hold", ms: 200 }] },
    });
  });

  test("with characters that PostgreSQL rejects is stored without them", () => {
    const draft = draftOf(callee(1, "a\0b\ud800c"), {
      type: "tool_result",
      id: "1",
      name: "look_up",
      output: { "k\0": ["\udc00", 1n] },
      ok: true,
      atMs: 0,
    });
    const written = JSON.stringify(draft.take().items);
    expect(written).not.toMatch(/\\u0000|\\ud[89a-f]/i);
    expect(written).toContain('"output":{"k":["\ufffd","1"]}');
  });

  test("of a tool with a huge reply is truncated and says so", () => {
    const draft = draftOf({ type: "tool_call", id: "1", name: "t", input: { text: "x".repeat(100_000) }, atMs: 0 });
    const [first] = draft.take().items;
    expect(JSON.stringify(first).length).toBeLessThan(10_000);
    expect(first?.item).toMatchObject({ type: "tool_call", input: { cutOff: expect.stringContaining("xxx") } });
  });
});

describe("a turn that is taken back because the callee continues", () => {
  const begun = [
    callee(1, "I would like"),
    { type: "entered", nodeId: "unclear", atMs: 900 } as const,
    { type: "collected", name: "wish", value: "unclear" } as const,
  ];

  test("leaves only what took its place", () => {
    const draft = draftOf(...begun, agent(1, "Pardon?", ""), { type: "turn_undone", turnId: 1 });
    draft.note(callee(2, "I would like to cancel."));
    expect(textsOf(draft)).toEqual(["callee: I would like to cancel."]);
  });

  test("is reported if it was already committed", () => {
    const draft = draftOf(...begun);
    draft.take();
    draft.note({ type: "turn_undone", turnId: 1 });
    expect(draft.take()).toMatchObject({ undoneTurns: [1], items: [] });
  });

  test("keeps the heard part of the reply, and nothing of an unheard one", () => {
    const heard = draftOf(...begun, { type: "turn_undone", turnId: 1 }, agent(1, "Pardon me?", "Pardon"));
    expect(textsOf(heard)).toEqual(["agent: Pardon"]);
    const unheard = draftOf(...begun, { type: "turn_undone", turnId: 1 }, agent(1, "Pardon me?", ""));
    expect(textsOf(unheard)).toEqual([]);
  });

  test("leaves collected values as they were before it", () => {
    const draft = draftOf({ type: "collected", name: "day", value: "2026-05-01" }, ...begun);
    expect(draft.take().collected).toEqual({ day: "2026-05-01", wish: "unclear" });
    draft.note({ type: "turn_undone", turnId: 1 });
    expect(draft.take().collected).toEqual({ day: "2026-05-01" });
    draft.note(callee(2, "more"));
    expect(draft.take().collected).toBeNull();
  });

  test("leaves what a tool did, because that is done", () => {
    const call: JournalEntry = { type: "tool_call", id: "1", name: "book", input: {}, atMs: 950 };
    expect(textsOf(draftOf(...begun, call, { type: "turn_undone", turnId: 1 }))).toEqual(["tool_call"]);
  });
});

describe("the result of a conversation", () => {
  test("latency covers all turns so far, and is reported only when it changed", () => {
    const draft = draftOf(...Array.from({ length: 20 }, (_, index) => timing(index, (index + 1) * 100)));
    expect(draft.take().latency).toEqual({ responseMsP50: 1000, responseMsP95: 1900, turns: 20, interruptions: 20 });
    draft.note(callee(1, "Yes."));
    expect(draft.take().latency).toBeNull();
  });

  test("the kind of callee and an opt-out are each reported once", () => {
    const draft = draftOf({ type: "answered_by", kind: "voicemail", atMs: 1 }, { type: "suppress" });
    expect(draft.take()).toMatchObject({ answeredBy: "voicemail", suppresses: true });
    expect(draft.hasChanges).toBe(false);
  });
});

describe("while the database is away", () => {
  test("memory stays bounded, and the transcript says where something is missing", () => {
    const draft = new TranscriptDraft();
    for (let count = 0; count < 5_000; count++) draft.note(callee(count, "on and on"));
    const { items } = draft.take();
    expect(items).toHaveLength(2_000);
    draft.note(callee(5_000, "back again"));
    expect(textsOf(draft)).toEqual(["note", "callee: back again"]);
  });

  test("long texts take no more memory than many short ones", () => {
    const draft = new TranscriptDraft();
    for (let count = 0; count < 1_000; count++) draft.note(callee(count, "word ".repeat(2_000)));
    expect(JSON.stringify(draft.take().items).length).toBeLessThan(1_100_000);
  });
});
