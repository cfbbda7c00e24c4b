import { describe, expect, it } from "vitest";
import { TurnPlayer } from "./testing/turn-player.ts";

const endOf = ({ state: { at } }: TurnPlayer) => (at.phase === "ended" ? at.reason : null);
const incidents = (player: TurnPlayer) => player.ofType("incident").map(({ what, reason }) => ({ what, reason }));

/** The callee speaks, and recognition fails for good. */
function speakInVain(player: TurnPlayer): void {
  player.speak(800, null).pass(100);
  for (let tries = 0; tries < 2; tries += 1) {
    const askId = player.ofType("recognition.ask").at(-1)?.askId ?? 0;
    player.tell({ type: "recognition.failed", askId, isRetryable: true, reason: "the recognizer process ended" });
  }
  player.pass(1_000);
}

/** The agent answers, and the callee has the floor again. */
const answer = (player: TurnPlayer, text = "Sorry?") => player.sound(text).pass(800).finish();

/** The brain says its last words after the callee's turn. */
function sayLastWords(player: TurnPlayer): void {
  player.sound("Goodbye.");
  player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "finished" });
  player.pass(800).finish().pass(1_000);
}

describe("a failure belongs to the turn that it disturbed", () => {
  const turnsOf = (player: TurnPlayer) => player.ofType("incident").map(({ what, turnId }) => [what, turnId]);

  it("which is the reply to speech that was not recognized", () => {
    const player = new TurnPlayer().greet();
    speakInVain(player);
    expect(turnsOf(player)).toEqual([["recognition_failed", player.state.turnId]]);
    expect(player.state.turnId).toBe(2);
  });

  it("or the reply that failed, not the one that was tried instead", () => {
    const player = new TurnPlayer().greet();
    player.speak(600, "Yes.").pass(1_000);
    player.tell({ type: "reply.failed", turnId: 2, part: "voice", reason: "the voice process ended" });
    expect(player.state.turnId).toBe(3);
    expect(turnsOf(player)).toEqual([["speech_failed", 2]]);
  });

  it("or the next reply, if nothing was heard while the callee had the floor", () => {
    const player = new TurnPlayer().greet();
    player.tell({ type: "hearing.lost", sinceMs: player.nowMs });
    expect(turnsOf(player)).toEqual([["hearing_failed", 2]]);
  });

  it("or the greeting, if it was late", () => {
    const player = new TurnPlayer();
    player.tell({ type: "line.answered" });
    player.pass(5_000);
    expect(turnsOf(player)[0]).toEqual(["speech_late", 1]);
  });
});

describe("a callee whom we did not understand", () => {
  it("is never called silent, however the silence came about", () => {
    const player = new TurnPlayer().greet();
    speakInVain(player);
    answer(player);
    player.pass(10_050);
    answer(player, "Are you still there?");
    player.pass(40_000);
    expect(endOf(player)).toBe("engine_error");
    expect(incidents(player)).toEqual([{ what: "recognition_failed", reason: "the recognizer process ended" }]);
  });

  it("is not called silent for words that are too short to be answered either", () => {
    const player = new TurnPlayer().greet();
    player.speak(600, "Yes.").pass(1_000);
    answer(player, "Good. And your name?");
    player.pass(2_000).speak(250, null).pass(60_000);
    expect(endOf(player)).toBe("engine_error");
  });

  it("who hangs up after nothing was understood was failed by us", () => {
    const player = new TurnPlayer().greet();
    speakInVain(player);
    answer(player);
    player.tell({ type: "line.ended" });
    expect(endOf(player)).toBe("engine_error");
  });

  it("who is understood later had a conversation", () => {
    const player = new TurnPlayer().greet();
    speakInVain(player);
    answer(player);
    player.speak(700, "Tuesday is fine.").pass(1_000);
    answer(player, "Thank you.");
    player.tell({ type: "line.ended" });
    expect(endOf(player)).toBe("callee_hangup");
    expect(incidents(player)).toHaveLength(1);
  });

  it("must not be the reason why the agent says goodbye", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "Tuesday is fine.").pass(1_000);
    answer(player, "At what time?");
    speakInVain(player);
    sayLastWords(player);
    expect(endOf(player)).toBe("engine_error");
  });

  it("who was only missed on saying hello is silent when the line is", () => {
    const player = new TurnPlayer({ greeting: "after_hello" });
    player.tell({ type: "line.answered" });
    player.speak(500, null).pass(5_000);
    player.tell({ type: "reply.ready", turnId: 1 });
    answer(player, "Hello.");
    player.pass(10_050);
    answer(player, "Are you still there?");
    player.pass(40_000);
    expect(endOf(player)).toBe("silence");
  });

  it("may answer by keys instead", () => {
    const player = new TurnPlayer().greet();
    player.tell({
      type: "brain.expects",
      expectation: { kind: "digits", answers: [], length: null, keysMax: 1, settings: {} },
    });
    speakInVain(player);
    answer(player);
    player.tell({
      type: "brain.expects",
      expectation: { kind: "digits", answers: [], length: null, keysMax: 1, settings: {} },
    });
    player.tell({ type: "line.key_pressed", key: "1" });
    sayLastWords(player);
    expect(endOf(player)).toBe("agent_hangup");
  });
});

describe("lost speech detection", () => {
  it("is reported once with its reason, and again with how long it lasted", () => {
    const player = new TurnPlayer().greet();
    player.tell({ type: "hearing.lost", sinceMs: player.nowMs - 3_000 });
    player.pass(2_000);
    player.tell({ type: "hearing.returned" });
    expect(player.ofType("incident")).toMatchObject([
      { what: "hearing_failed", reason: expect.stringMatching(/\w/) },
      { what: "hearing_failed", isUpdate: true, totalMs: 5_000 },
    ]);
  });

  it.each([
    ["a callee who hangs up meanwhile", (player: TurnPlayer) => player.tell({ type: "line.ended" })],
    [
      "what looks like silence",
      (player: TurnPlayer) => player.pass(10_050).sound("Hello?").pass(500).finish().pass(60_000),
    ],
  ])("makes the call failed for %s", (_, leave) => {
    const player = new TurnPlayer().greet();
    player.speak(700, "Yes.").pass(1_000);
    answer(player, "Good.");
    player.tell({ type: "hearing.lost", sinceMs: player.nowMs });
    leave(player);
    expect(endOf(player)).toBe("engine_error");
    expect(player.ofType("incident").at(-1)).toMatchObject({ isUpdate: true });
  });

  it("that recovers does not affect the rest of the call", () => {
    const player = new TurnPlayer().greet();
    player.tell({ type: "hearing.lost", sinceMs: player.nowMs });
    player.pass(4_000);
    player.tell({ type: "hearing.returned" });
    player.speak(700, "Yes.").pass(1_000);
    sayLastWords(player);
    expect(endOf(player)).toBe("agent_hangup");
  });
});

describe("a model that fails", () => {
  const ask = (player: TurnPlayer, hasFailed: boolean) => player.tell({ type: "brain.model_asked", hasFailed });

  it("and leads to the end of the call makes the call fail", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "I have a question.").pass(1_000);
    ask(player, true);
    sayLastWords(player);
    expect(endOf(player)).toBe("engine_error");
  });

  it("is forgotten once it answers, or once the flow continues without it", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "I have a question.").pass(1_000);
    ask(player, true);
    answer(player, "Please say that again.");
    player.speak(700, "A question.").pass(1_000);
    sayLastWords(player);
    expect(endOf(player)).toBe("agent_hangup");
  });

  it("and makes the callee hang up makes the call fail", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "I have a question.").pass(1_000);
    ask(player, true);
    answer(player, "I have trouble answering.");
    player.tell({ type: "line.ended" });
    expect(endOf(player)).toBe("engine_error");
  });
});

describe("an agent that cannot speak", () => {
  const fail = (player: TurnPlayer) =>
    player.tell({
      type: "reply.failed",
      turnId: player.state.turnId,
      part: "voice",
      reason: "the voice process ended",
    });

  it("did not say goodbye", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "That is all.").pass(1_000);
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "finished" });
    fail(player);
    expect(endOf(player)).toBe("engine_error");
    expect(incidents(player)).toEqual([{ what: "speech_failed", reason: "the voice process ended" }]);
  });

  it("left no message if it breaks off in the middle", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "Leave a message.").pass(1_000);
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "voicemail_left" });
    player.sound("This is the clinic.").pass(400);
    fail(player);
    expect(endOf(player)).toBe("engine_error");
  });

  it("is the end reason when a callee who heard nothing hangs up", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "Yes?").pass(1_000);
    fail(player);
    player.tell({ type: "line.ended" });
    expect(endOf(player)).toBe("engine_error");
  });
});
