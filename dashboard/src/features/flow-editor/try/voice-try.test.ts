import type { TryVoiceEvent } from "@parley/contract/try-voice";
import { expect, test } from "vitest";
import { applyVoiceEvent, NOTHING_SAID, outcomeOfTalk } from "./voice-try.ts";

const speech = (role: "callee" | "agent", turn: number, text: string, heardText = text) =>
  ({ type: "speech", role, turn, text, heardText, interrupted: heardText !== text, startMs: 0, endMs: 0 }) as const;
const hear = (...event: readonly TryVoiceEvent[]) =>
  event.reduce((talk, each) => applyVoiceEvent(talk, each, { nodes: [] }), NOTHING_SAID);
const texts = (talk: ReturnType<typeof hear>) => talk.lines.map(({ text }) => text);

test("what both said is in order, each with its node", () => {
  const talk = hear(
    { type: "node", nodeId: "greeting", atMs: 0 },
    speech("agent", 0, "Hello."),
    speech("callee", 1, "Hi."),
  );
  expect(talk.lines).toMatchObject([
    { role: "agent", text: "Hello.", nodeId: "greeting" },
    { role: "callee", text: "Hi." },
  ]);
});

test("when the callee continues to speak, the reply to the first half is taken back", () => {
  const talk = hear(
    speech("agent", 0, "Hello."),
    speech("callee", 1, "I want"),
    speech("agent", 1, "Pardon?"),
    { type: "turn_undone", turn: 1 },
    speech("callee", 1, "I want to cancel"),
  );
  expect(texts(talk)).toEqual(["Hello.", "I want to cancel"]);
});

test("words that were cut off are shown with how much of them was heard", () => {
  expect(texts(hear(speech("agent", 2, "We are open from nine to five.", "We are open")))).toEqual([
    "We are open from nine to five.",
    "You had heard: “We are open”",
  ]);
});

test("a conversation by voice can be saved as steps: words and keys, and how it ended", () => {
  const talk = hear(
    speech("callee", 1, "another day"),
    { type: "pressed", key: "1", by: "callee", atMs: 5 },
    { type: "collected", name: "outcome", value: "moved" },
    { type: "ended", reason: "agent_hangup" },
  );
  expect(outcomeOfTalk(talk, {})).toMatchObject({
    steps: [{ say: "another day" }, { press: "1" }],
    collected: { outcome: "moved" },
    endReason: "agent_hangup",
  });
});
