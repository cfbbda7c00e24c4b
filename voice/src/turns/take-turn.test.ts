import { describe, expect, it } from "vitest";
import { expecting, FREE_SPEECH, type TimedEffect, TurnPlayer } from "./testing/turn-player.ts";

const YES_NO = expecting({ kind: "yes_no", answers: ["yes", "no", "yes I will come"] });

/** How long after the callee's last sound the turn was taken. */
function waitedMs(player: TurnPlayer, endedMs: number): number | null {
  const taken = player.ofType("reply.start").at(-1);
  return taken === undefined ? null : taken.atMs - endedMs;
}

function after(spoken: Parameters<TurnPlayer["speak"]>[1], expectation = FREE_SPEECH) {
  const player = new TurnPlayer().greet(expectation);
  player.pass(500).speak(800, spoken);
  const endedMs = player.nowMs;
  player.pass(4_000);
  return { player, waitedMs: waitedMs(player, endedMs) };
}

describe("when the callee's turn is over", () => {
  it("a complete expected answer is taken after 240 ms of silence", () => {
    expect(after("Yes.", YES_NO).waitedMs).toBe(240);
  });

  it("silence starts with it, even if detection reports a voice for a little longer", () => {
    const player = new TurnPlayer().greet(YES_NO);
    player.pass(500).speak(800, "Yes.");
    const endedMs = player.nowMs;
    player.pass(60, { probability: 0.8, levelDbfs: -60 }).pass(1_000);
    expect(waitedMs(player, endedMs)).toBe(240);
  });

  it("a soft end of a word is speech", () => {
    const player = new TurnPlayer().greet(YES_NO);
    player.pass(500).speak(800, "Yes.");
    const softMs = player.nowMs;
    player.pass(60, { probability: 0.8, levelDbfs: -50 }).pass(1_000);
    expect(waitedMs(player, softMs)).toBe(300);
  });

  it.each([
    ["as detection begins to hear", { probability: 0.95 }],
    ["as it is loud again, which detection is late to hear", { probability: 0.1 }],
  ])("who goes on just when the time is over is not spoken to: %s", (_, beginning) => {
    const player = new TurnPlayer().greet(YES_NO);
    player
      .pass(500)
      .speak(400, "Yes,")
      .pass(210)
      .pass(50, { ...beginning, levelDbfs: -25 });
    player.speak(300, "Yes, please.").pass(1_000);
    expect(player.turns()).toMatchObject([{ text: "Yes, please." }]);
    expect(player.ofType("reply.abort")).toEqual([]);
  });

  it("a line whose noise is as loud as a voice is not waited for", () => {
    const player = new TurnPlayer().greet(YES_NO);
    player.pass(500).speak(800, "Yes.");
    const endedMs = player.nowMs;
    player.pass(2_000, { probability: 0.1, levelDbfs: -25 });
    expect(waitedMs(player, endedMs)).toBe(368);
  });

  it("the beginning of an expected answer is taken after 1,200 ms", () => {
    expect(after("yes I", YES_NO).waitedMs).toBe(1_200);
  });

  it("free speech is taken after 500 to 700 ms", () => {
    expect(after("I would rather talk about the price.").waitedMs).toBe(500);
    expect(after("I would rather talk about the price").waitedMs).toBe(700);
  });

  it("a sentence that is not finished is taken after 1,500 ms", () => {
    expect(after("I would like to move it to").waitedMs).toBe(1_500);
  });

  it("digits are taken after 250 ms when they are complete, otherwise after 1,500 ms", () => {
    const pin = expecting({ kind: "digits", length: 4 });
    expect(after("one two three four", pin).waitedMs).toBe(250);
    expect(after("one two", pin).waitedMs).toBe(1_500);
  });

  it("a node can set its own hold", () => {
    expect(after("Yes.", { ...YES_NO, settings: { completeAnswerHoldMs: 600 } }).waitedMs).toBe(600);
  });

  it("what was said reaches the brain and the journal, with its times", () => {
    const best = { answer: "yes", score: 0.9, margin: 0.5 };
    const { player } = after({ text: "Yes.", best }, YES_NO);
    expect(player.turns()).toEqual([{ type: "said", text: "Yes.", best }]);
    const notes = player.ofType("journal.note").map(({ entry }) => entry);
    expect(notes).toContainEqual({
      type: "callee_said",
      turnId: 2,
      text: "Yes.",
      startMs: 2_500,
      endMs: 3_300,
      words: [],
    });
  });
});

describe("recognition is off the critical path", () => {
  const asks = (player: TurnPlayer) => player.ofType("recognition.ask");

  it("it is requested speculatively after 96 ms of silence", () => {
    const player = new TurnPlayer().greet();
    player.speak(800, "Yes.");
    const endedMs = player.nowMs;
    player.pass(90);
    expect(asks(player)).toEqual([]);
    player.pass(20);
    expect(asks(player)).toMatchObject([{ atMs: endedMs + 100, isGuess: true }]);
  });

  it("the speculative request is dropped when the callee continues, and the whole is requested at the next pause", () => {
    const player = new TurnPlayer().greet();
    player.speak(800, { text: "I would like", afterMs: 300 }).pass(150).speak(600, "I would like to come.").pass(2_000);
    const [first, second] = asks(player);
    expect(player.ofType("recognition.abort")).toMatchObject([{ askId: first?.askId }]);
    expect(second?.askId).not.toBe(first?.askId);
    expect(player.turns()).toMatchObject([{ text: "I would like to come." }]);
  });

  it("words that come after they were waited for are in the transcript, and nothing else follows from them", () => {
    const player = new TurnPlayer().greet();
    player.speak(900, { text: "On Tuesday.", afterMs: 6_000 }).pass(5_000);
    expect(player.turns()).toEqual([{ type: "unclear" }]);
    player.sound("Sorry, I could not hear you.").pass(3_000).finish();
    const notes = player.ofType("journal.note").map(({ entry }) => entry);
    const said = notes.filter(({ type }) => type === "callee_said");
    expect(said).toMatchObject([{ text: "On Tuesday.", turnId: 2 }]);
    const [{ startMs = 0, endMs = 0 } = {}] = said.flatMap((entry) => (entry.type === "callee_said" ? [entry] : []));
    expect(endMs - startMs).toBeLessThan(1_500);
    expect(player.turns()).toHaveLength(1);
    expect(player.state.late).toEqual([]);
  });

  it("words that come late are written down once, although the callee spoke on", () => {
    const player = new TurnPlayer().greet();
    player.speak(900, { text: "On Tuesday.", afterMs: 6_000 }).pass(4_200);
    player.speak(600, "On Tuesday, please.").pass(8_000);
    const said = player
      .ofType("journal.note")
      .flatMap(({ entry }) => (entry.type === "callee_said" ? [entry.text] : []));
    expect(said.filter((text) => text.startsWith("On Tuesday."))).toHaveLength(1);
  });

  it("its time counts only as far as it exceeds the hold", () => {
    const { waitedMs: hidden } = after({ text: "Yes.", afterMs: 90 }, YES_NO);
    const { waitedMs: late } = after({ text: "Yes.", afterMs: 400 }, YES_NO);
    expect(hidden).toBe(240);
    expect(late).toBe(500);
  });

  it("it becomes urgent after a second, and is no longer awaited after three more", () => {
    const player = new TurnPlayer().greet();
    player.speak(800, null);
    const endedMs = player.nowMs;
    player.pass(5_000);
    expect(asks(player).map(({ atMs, isGuess }) => [atMs - endedMs, isGuess])).toEqual([
      [100, true],
      [1_000, false],
    ]);
    expect(player.turns()).toEqual([{ type: "unclear" }]);
    expect(waitedMs(player, endedMs)).toBe(4_000);
    expect(player.ofType("incident").map(({ what }) => what)).toEqual(["recognition_failed"]);
  });

  it("a temporary failure is retried once, and then counts as not understood", () => {
    const player = new TurnPlayer().greet();
    player.speak(800, null).pass(100);
    const [first] = asks(player);
    player.tell({ type: "recognition.failed", askId: first?.askId ?? 0, isRetryable: true, reason: "it crashed" });
    const second = asks(player).at(-1);
    expect(second?.askId).not.toBe(first?.askId);
    player.tell({ type: "recognition.failed", askId: second?.askId ?? 0, isRetryable: true, reason: "it crashed" });
    player.pass(1_000);
    expect(player.turns()).toEqual([{ type: "unclear" }]);
  });
});

describe("what is not a turn", () => {
  it("a noise without words is forgotten, and the silence continues", () => {
    const player = new TurnPlayer().greet();
    const floorMs = player.nowMs;
    player.pass(5_000).speak(150, "").pass(8_000);
    expect(player.turns()).toEqual([{ type: "silent", count: 1 }]);
    expect(waitedMs(player, floorMs)).toBe(10_000);
  });

  it("long audio without words was said and not understood", () => {
    expect(after("").player.turns()[0]).toEqual({ type: "unclear" });
  });

  it("'one moment please' is waited for, for a minute longer than silence is", () => {
    const player = new TurnPlayer().greet();
    player.speak(900, "One moment, please.").pass(60_000);
    expect(player.turns()).toEqual([]);
    player.pass(12_000);
    expect(player.turns()).toEqual([{ type: "silent", count: 1 }]);
  });

  it("what is not understood after 'one moment please' is not meant for us", () => {
    const player = new TurnPlayer().greet();
    player.speak(900, "One moment, please.").pass(3_000).speak(900, "").pass(10_000);
    expect(player.turns()).toEqual([]);
    player.speak(900, "I am back.").pass(1_000);
    expect(player.turns()).toMatchObject([{ type: "said", text: "I am back." }]);
  });

  it("'one moment' is an answer if it was asked for", () => {
    const { player } = after("one moment", expecting({ kind: "choice", answers: ["one moment", "now"] }));
    expect(player.turns()).toMatchObject([{ type: "said", text: "one moment" }]);
  });
});

describe("long speech", () => {
  const cuts = (player: TurnPlayer): TimedEffect[] => player.ofType("utterance.cut");

  it("is recognized in pieces at a pause after 12 s, and is one turn", () => {
    const player = new TurnPlayer().greet();
    player.speak(12_500, "The first part").pass(300).speak(2_000, "and the second one.").pass(2_000);
    expect(cuts(player)).toHaveLength(1);
    expect(player.turns()).toMatchObject([{ text: "The first part and the second one." }]);
  });

  it("is cut after 14.5 s where there is no pause", () => {
    const player = new TurnPlayer().greet();
    player.speak(20_000, "and so on").pass(3_000);
    expect(cuts(player)).toHaveLength(1);
    expect(player.turns()).toMatchObject([{ text: "and so on and so on" }]);
  });

  it("is answered after a minute although the callee keeps speaking", () => {
    const player = new TurnPlayer().greet();
    for (let seconds = 0; seconds < 61; seconds += 1) player.speak(800, "and so on.").pass(200);
    player.pass(1_000);
    expect(player.turns()).toHaveLength(1);
  });

  it.each([
    ["free_text", 20_000],
    ["date", 10_000],
  ] as const)("without the shortest pause is other people's, and answered: %s", (kind, maxMs) => {
    const player = new TurnPlayer().greet(expecting({ kind }));
    player.speak(maxMs - 500, "on Friday");
    expect(player.turns()).toEqual([]);
    player.speak(2_000, "on Friday");
    expect(player.turns()).toHaveLength(1);
  });
});

describe("the hold adapts to the callee", () => {
  it("waits longer for a callee who pauses for long in the middle of sentences", () => {
    const player = new TurnPlayer().greet();
    const pauses = () => player.speak(500, "I think and").pass(900);
    pauses();
    pauses();
    pauses();
    player.speak(500, "that is all.");
    const endedMs = player.nowMs;
    player.pass(3_000);
    expect(waitedMs(player, endedMs)).toBe(1_080);
  });
});
