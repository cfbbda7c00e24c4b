import { describe, expect, it } from "vitest";
import { expecting, TurnPlayer } from "./testing/turn-player.ts";

const ended = (player: TurnPlayer) => (player.state.at.phase === "ended" ? player.state.at.reason : null);

describe("a callee who says nothing", () => {
  it("is asked once after 10 s and hung up on after 30 s", () => {
    const player = new TurnPlayer().greet();
    const floorMs = player.nowMs;
    player.pass(9_990);
    expect(player.turns()).toEqual([]);
    player.pass(20);
    expect(player.turns()).toEqual([{ type: "silent", count: 1 }]);
    player.sound("Are you still there?").pass(1_500).finish();
    player.pass(30_000 - (player.nowMs - floorMs) - 10);
    expect(ended(player)).toBeNull();
    player.pass(20);
    expect(ended(player)).toBe("silence");
    expect(player.turns()).toHaveLength(1);
    expect(player.ofType("line.hangup")).toHaveLength(1);
  });

  it("is asked again after saying something", () => {
    const player = new TurnPlayer().greet();
    player.pass(10_050).sound("Are you there?").pass(1_000).finish();
    player.pass(2_000).speak(600, "Yes I am.").pass(1_000).sound("Good.").pass(500).finish();
    player.pass(10_050);
    expect(player.turns().map(({ type }) => type)).toEqual(["silent", "said", "silent"]);
  });

  it("has three seconds to answer a question that took very long", () => {
    const player = new TurnPlayer().greet();
    player.pass(10_050).sound("Are you there?").pass(25_000).finish();
    player.pass(2_900);
    expect(ended(player)).toBeNull();
    player.pass(200);
    expect(ended(player)).toBe("silence");
  });

  it("whose line carries no audio is reported as such", () => {
    const player = new TurnPlayer().greet();
    player.tell({ type: "line.audio_missing" });
    player.pass(10_050).sound("Are you there?").pass(1_000).finish();
    player.pass(20_000);
    expect(ended(player)).toBe("no_audio");
  });
});

describe("music on hold", () => {
  const music = { levelDbfs: -20, tonality: 0.9, probability: 0.1 };

  it("is waited out, with one question after 20 s, and for a minute at most, then with a farewell", () => {
    const player = new TurnPlayer().greet();
    const floorMs = player.nowMs;
    player.pass(19_900, music);
    expect(player.turns()).toEqual([]);
    player.pass(200, music);
    expect(player.turns()).toEqual([{ type: "silent", count: 1 }]);
    player.sound("Are you still there?").pass(1_500, music).finish();
    player.pass(60_000 - (player.nowMs - floorMs) - 100, music);
    expect(player.phase).toBe("listening");
    player.pass(200, music);
    expect(player.turns()).toHaveLength(1);
    expect(player.ofType("reply.recite")).toMatchObject([{ text: null }]);
    expect(ended(player)).toBeNull();
    player.sound("Goodbye.").pass(1_500, music).finish();
    player.pass(1_000, music);
    expect(ended(player)).toBe("silence");
  });

  it("is left after as long as the agent is set to, even if the farewell cannot be said", () => {
    const player = new TurnPlayer({ settings: { musicPromptMs: 5_000, musicMaxMs: 12_000 } }).greet();
    player.pass(5_100, music);
    expect(player.turns()).toEqual([{ type: "silent", count: 1 }]);
    player.sound("Are you still there?").pass(1_500, music).finish();
    player.pass(6_000, music);
    expect(player.ofType("reply.recite")).toHaveLength(1);
    player.tell({ type: "reply.failed", turnId: player.state.turnId, part: "voice", reason: "it is broken" });
    expect(ended(player)).toBe("silence");
  });

  it("is recognized although we speak into it, and not spoken into again", () => {
    const player = new TurnPlayer().greet();
    player.pass(2_000, music).speak(600, "").pass(100, music);
    player.pass(1_000, music).sound("Sorry, I did not get that.").pass(3_000, music).finish();
    expect(player.state.music.isOn).toBe(true);
    player.pass(12_000, music);
    expect(player.turns()).toHaveLength(1);
  });

  it("is not the echo of our own voice", () => {
    const player = new TurnPlayer().greet();
    player.speak(900, "Tell me more.").pass(1_000).sound("It is a long story.");
    player.pass(8_000, { ...music, lineEchoes: true }).finish();
    expect(player.state.music.isOn).toBe(false);
  });

  it("a callee who comes back is answered, and silence counts from then", () => {
    const player = new TurnPlayer().greet();
    player.pass(15_000, music).pass(500).speak(900, "I am back.").pass(1_000);
    expect(player.turns()).toMatchObject([{ text: "I am back." }]);
  });

  it("behind a person is no reason to wait: short answers count, and silence is asked about", () => {
    const quiet = { ...music, levelDbfs: -40 };
    const player = new TurnPlayer().greet(expecting({ kind: "yes_no", answers: ["yes", "no"] }));
    player.pass(8_000, quiet);
    expect(player.state.music.isOn).toBe(true);
    player.speak(400, "Yes.").pass(1_000, quiet);
    expect(player.turns()).toMatchObject([{ type: "said", text: "Yes." }]);
    expect(player.state.music.isOn).toBe(false);
  });

  it("voices in the room are none, though they are not the callee's", () => {
    const player = new TurnPlayer().greet();
    player.speak(900, "Tell me more.").pass(500).sound("It is a long story.").pass(1_000).finish();
    const television = { levelDbfs: -34, tonality: 0.8, probability: 0.9 };
    player.pass(9_000, television);
    expect(player.state.music.isOn).toBe(false);
  });

  it("singing is not speech meant for us", () => {
    const player = new TurnPlayer().greet();
    player.pass(15_000, music);
    player.hears = { text: "love me tender" };
    player.pass(900, { ...music, probability: 0.9 }).pass(3_000, music);
    expect(player.turns()).toEqual([]);
  });

  it("a person who speaks louder than the music is", () => {
    const player = new TurnPlayer().greet();
    player.pass(15_000, music);
    player.hears = { text: "Are you there?" };
    player.pass(900, { levelDbfs: -8, tonality: 0.7, probability: 0.9 }).pass(3_000, music);
    expect(player.turns()).toMatchObject([{ text: "Are you there?" }]);
  });

  const loud = { levelDbfs: -10, tonality: 0.7, probability: 0.9 };
  const note = (player: TurnPlayer, text: string) => {
    player.hears = { text };
    return player.pass(400, loud).pass(1_000, music);
  };
  const askAgain = (player: TurnPlayer) =>
    player.sound("Sorry, I did not get that.").pass(1_500, music).finish(player.state.expectation).pass(6_000, music);

  it("a loud note that is mistaken for a word is asked about once, and written down nowhere", () => {
    const answer = { answer: "I will come", score: 0.9, margin: 0.5 };
    const player = new TurnPlayer().greet(expecting({ kind: "choice", answers: [answer.answer] }));
    player.pass(15_000, music);
    player.hears = { text: "2.", best: answer };
    player.pass(400, loud).pass(3_000, music);
    expect(player.turns()).toEqual([{ type: "unclear" }]);
    askAgain(player);
    for (const text of ["3.", "Ooh.", "Wrong."]) note(player, text).pass(5_000, music);
    expect(player.turns()).toHaveLength(1);
    expect(player.ofType("journal.note").some(({ entry }) => entry.type === "callee_said")).toBe(false);
    player.hears = { text: "to be blue", best: answer };
    player.pass(900, loud).pass(3_000, music);
    expect(player.turns().at(-1)).toMatchObject({ text: "to be blue", best: null });
  });

  it("a callee who answers over it with a single word is asked, and believed when it is said again", () => {
    const player = new TurnPlayer().greet(expecting({ kind: "yes_no", answers: ["yes", "no"] }));
    player.pass(8_000, music);
    note(player, "Yes.");
    expect(player.turns()).toEqual([{ type: "unclear" }]);
    note(askAgain(player), "Yes.");
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "Yes." });
    // Understood before, the callee is asked twice about words that differ.
    player.sound("And on Friday?").pass(1_500, music).finish(player.state.expectation).pass(8_000, music);
    note(player, "Know.");
    note(askAgain(player), "No.");
    note(askAgain(player), "Note.");
    expect(player.turns().map(({ type }) => type)).toEqual(["unclear", "said", "unclear", "unclear"]);
  });

  it("a callee who says it again in another word for the same is believed", () => {
    const player = new TurnPlayer().greet(expecting({ kind: "yes_no", answers: ["yes", "no"] }));
    player.pass(8_000, music);
    note(player, "Yes.");
    note(askAgain(player), "No.");
    expect(player.turns()).toEqual([{ type: "unclear" }]);
    note(player.pass(5_000, music), "Yeah.");
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "Yeah." });
  });

  it("a note that follows a sentence in the same breath does not make music of the sentence", () => {
    const player = new TurnPlayer().greet();
    player.pass(8_000, music);
    player.hears = { text: "Yes, that is right." };
    player
      .pass(900, loud)
      .pass(150, music)
      .pass(100, { ...music, probability: 0.9 })
      .pass(1_500, music);
    expect(player.turns()).toMatchObject([{ type: "said", text: "Yes, that is right." }]);
  });

  it("a single word that is much quieter than the callee is a note of it", () => {
    const heardAt = (levelDbfs: number) => {
      const player = new TurnPlayer().greet();
      player.speak(900, "I am listening.").pass(500).sound("One moment.").pass(1_000);
      player.finish().pass(6_000, { ...music, levelDbfs: levelDbfs - 11 });
      expect(player.state.music.isOn).toBe(true);
      player.hears = { text: "Two." };
      return player.pass(400, { ...loud, levelDbfs }).pass(3_000, { ...music, levelDbfs: levelDbfs - 11 });
    };
    // The callee has spoken at -20.
    expect(
      heardAt(-24)
        .turns()
        .map(({ type }) => type),
    ).toEqual(["said", "unclear"]);
    expect(
      heardAt(-33)
        .turns()
        .map(({ type }) => type),
    ).toEqual(["said"]);
  });

  it("a note takes nothing back that was said before it", () => {
    const player = new TurnPlayer().greet();
    player.pass(8_000, music);
    player.hears = { text: "I can come on Friday." };
    player.pass(900, { ...loud, levelDbfs: -5 }).pass(700, music);
    expect(player.turns()).toHaveLength(1);
    // It plays on while the reply is prepared, and one of its notes is taken for speech.
    player.pass(6_000, music);
    player.hears = { text: "" };
    player.pass(200, { ...music, probability: 0.9 }).pass(1_200, music);
    expect(player.ofType("reply.undo")).toHaveLength(1);
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "I can come on Friday." });
    expect(player.turns()).toHaveLength(2);
  });
});
