import { FAX_ANSWER, SPECIAL_INFORMATION, VOICEMAIL_BEEP } from "@parley/audio/call-signals";
import { renderSignal } from "@parley/audio/signal";
import { afterEach, describe, expect, it } from "vitest";
import { openScene, type Scene } from "../engine/testing/conversation-scene.ts";
import type { ConversationOptions } from "../ports/voice-engine.ts";
import { createCallScreening } from "./create-call-screening.ts";

const MESSAGE = "Please call us back.";
const GREETING = "Hello you have reached Ann please leave a message after the tone";

let scene: Scene;

afterEach(async () => {
  scene.line.end();
  const closed = scene.engine.close();
  await scene.advance(3_000);
  await closed;
  expect(scene.leftovers()).toEqual({ timers: 0, watches: 0, streams: 0 });
});

/** A call that is answered, with real screening between the line and the conversation. */
async function answer(action: ConversationOptions["voicemail"]["action"], message = MESSAGE) {
  scene = openScene({
    brain: { greeting: ["Good day."], reply: () => ["This is Parley for Ann."] },
    setup: { greeting: "after_hello", voicemail: { action, message } },
    engine: { screening: createCallScreening() },
  });
  const conversation = await scene.prepare();
  scene.line.answer();
  await scene.advance(300);
  return conversation;
}

const kinds = () => scene.notes("answered_by").map(({ kind }) => kind);
const said = () => scene.notes("agent_said").map(({ text }) => text);
const over = () => scene.notes("over").map(({ reason }) => reason);

describe("a voicemail that answers", () => {
  it("is hung up on if the call requests that", async () => {
    await answer("hang_up");
    await scene.advance(scene.say(GREETING) + 2_000);
    expect(kinds()).toContain("voicemail");
    expect(over()).toEqual(["voicemail_hangup"]);
  });

  it("gets its message after the beep and not before", async () => {
    await answer("leave_message");
    await scene.advance(scene.say(GREETING) + 1_000);
    const beepMs = scene.line.positionMs;
    scene.line.hear(renderSignal(VOICEMAIL_BEEP, 400));
    await scene.advance(6_000);
    expect(said()).toContain(MESSAGE);
    const message = scene.notes("agent_said").find(({ text }) => text === MESSAGE);
    expect(message?.heardText).toBe(MESSAGE);
    expect(message?.startMs).toBeGreaterThanOrEqual(beepMs + 400);
    expect(over()).toEqual(["voicemail_left"]);
  });

  it("gets a message of any length, in clauses that a voice can say", async () => {
    const message =
      `Hello, this is the clinic. ${"Please call us back on Monday or Tuesday, whenever it suits you. ".repeat(12)}`.trim();
    await answer("leave_message", message);
    await scene.advance(scene.say(GREETING) + 1_000);
    scene.line.hear(renderSignal(VOICEMAIL_BEEP, 400));
    await scene.advance(60_000);
    const spoken = scene.synthesizer.requests.map(({ text }) => text).filter((text) => message.includes(text));
    expect(spoken.slice(0, 3)).toEqual([
      "Hello, this is the clinic.",
      "Please call us back on Monday or Tuesday, whenever it suits you.",
      "Please call us back on Monday or Tuesday, whenever it suits you.",
    ]);
    expect(Math.max(...scene.synthesizer.requests.map(({ text }) => text.length))).toBeLessThan(250);
    expect(scene.notes("agent_said").find(({ text }) => text === message)?.heardText).toBe(message);
    expect(scene.notes("incident")).toEqual([]);
    expect(over()).toEqual(["voicemail_left"]);
  });

  it("gets its message after a silence if no beep comes", async () => {
    await answer("leave_message");
    await scene.advance(scene.say(GREETING) + 10_000);
    expect(said()).toContain(MESSAGE);
    expect(over()).toEqual(["voicemail_left"]);
  });

  it("gets its message from the beginning when the beep comes after the message had started", async () => {
    await answer("leave_message");
    await scene.advance(scene.say(GREETING) + 3_200);
    expect(scene.line.agentSpoke).toHaveLength(1);
    const beepMs = scene.line.positionMs;
    scene.line.hear(renderSignal(VOICEMAIL_BEEP, 400));
    await scene.advance(6_000);
    const messages = scene.notes("agent_said").filter(({ text }) => text === MESSAGE);
    expect(messages).toMatchObject([{ wasInterrupted: true }, { wasInterrupted: false, heardText: MESSAGE }]);
    expect(messages[1]?.startMs).toBeGreaterThanOrEqual(beepMs + 400);
    expect(over()).toEqual(["voicemail_left"]);
  });

  it("does not interrupt the message with its own audio", async () => {
    await answer("leave_message");
    await scene.advance(scene.say(GREETING) + 500);
    scene.line.hear(renderSignal(VOICEMAIL_BEEP, 400));
    await scene.advance(700);
    scene.say("to send your message stop and press one");
    await scene.advance(8_000);
    const message = scene.notes("agent_said").find(({ text }) => text === MESSAGE);
    expect(message).toMatchObject({ heardText: MESSAGE, wasInterrupted: false });
  });

  it("is talked to like a person if the call requests to continue", async () => {
    await answer("continue");
    await scene.advance(scene.say(GREETING) + 2_000);
    expect(kinds()).toContain("voicemail");
    expect(over()).toEqual([]);
  });
});

describe("other machines that answer", () => {
  it("a screening service hears who is calling, and the call continues", async () => {
    await answer("hang_up");
    await scene.advance(scene.say("Hello please state your name and why you are calling") + 4_000);
    expect(kinds()).toContain("screening");
    expect(scene.brain.turns).toContainEqual({ type: "machine", kind: "screening" });
    expect(said()).toContain("This is Parley for Ann.");
    expect(over()).toEqual([]);
  });

  it("a fax is hung up on", async () => {
    await answer("leave_message");
    scene.line.hear(renderSignal(FAX_ANSWER, 2_500));
    await scene.advance(3_000);
    expect(over()).toEqual(["fax"]);
  });

  it("a number that is out of service ends the call as unreachable", async () => {
    await answer("leave_message");
    scene.line.hear(renderSignal(SPECIAL_INFORMATION.vacantCode, 1_100));
    await scene.advance(2_000);
    expect(over()).toEqual(["unreachable"]);
  });
});

describe("a human who answers", () => {
  it("is recognized as one, is greeted without delay, and the timeline says why", async () => {
    await answer("hang_up");
    await scene.advance(scene.say("Hello") + 5_000);
    expect(kinds()).toEqual(["human"]);
    expect(said()).toContain("Good day.");
    expect(scene.notes("note").map(({ text }) => text)).toContainEqual(
      expect.stringContaining("answered by human: it "),
    );
  });
});
