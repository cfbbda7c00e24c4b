import { describe, expect, it } from "vitest";
import { expecting, TurnPlayer } from "../testing/turn-player.ts";

type Words = { readonly text: string; readonly untilMs?: number; readonly startMs?: number };

/** A player whose recognizer follows the call: it answers no request, but reports by itself. */
function listening(expectation = expecting({})): TurnPlayer {
  const player = new TurnPlayer().greet(expectation);
  player.hears = null;
  return player;
}

function report(
  player: TurnPlayer,
  type: "turn_updated" | "turn_probably_ended" | "turn_ended",
  { text, untilMs = player.nowMs, startMs = player.nowMs - 500 }: Words,
): void {
  player.tell({ type: `recognition.${type}`, text, words: [], confidence: 0.9, startMs, untilMs });
}

const texts = (player: TurnPlayer) => player.turns().map((turn) => ("text" in turn ? turn.text : turn.type));
const committed = (player: TurnPlayer) => player.ofType("reply.commit").map(({ turnId }) => turnId);

describe("the reported end of a turn", () => {
  it("takes the turn at once", () => {
    const player = listening();
    player.speak(800, null).pass(150);
    report(player, "turn_ended", { text: "I would like to come" });
    expect(player.phase).toBe("thinking");
    expect(texts(player)).toEqual(["I would like to come"]);
  });

  it("takes it even if the sentence seems unfinished", () => {
    const player = listening();
    player.speak(800, null).pass(150);
    report(player, "turn_ended", { text: "I would like to" });
    expect(texts(player)).toEqual(["I would like to"]);
  });

  it("waits for the missing digits of a number, but not without end", () => {
    const player = listening(expecting({ kind: "digits", length: 6 }));
    player.speak(800, null).pass(150);
    report(player, "turn_ended", { text: "one two three" });
    player.pass(1_000);
    expect(texts(player)).toEqual([]);
    player.pass(600);
    expect(texts(player)).toEqual(["one two three"]);
  });

  it("does not cut in on a callee who speaks again, if more words follow", () => {
    const player = listening();
    player.speak(800, null);
    const untilMs = player.nowMs;
    player.pass(300).speak(500, null);
    report(player, "turn_ended", { text: "On Tuesday.", untilMs });
    expect(texts(player)).toEqual([]);
    report(player, "turn_updated", { text: "On Tuesday. Or rather" });
    player.speak(900, null);
    expect(texts(player)).toEqual([]);
    player.pass(150);
    report(player, "turn_ended", { text: "On Tuesday. Or rather Thursday." });
    expect(texts(player)).toEqual(["On Tuesday. Or rather Thursday."]);
  });

  it("is believed when what we take for speech has no words in it", () => {
    const player = listening();
    player.speak(800, null);
    const untilMs = player.nowMs;
    player.speak(700, null);
    report(player, "turn_ended", { text: "On Tuesday.", untilMs });
    player.speak(600, null);
    expect(texts(player)).toEqual(["On Tuesday."]);
  });

  it("answers a voice that was too soft for speech detection", () => {
    const player = listening();
    player.pass(2_000);
    report(player, "turn_ended", { text: "Tuesday would be fine" });
    expect(texts(player)).toEqual(["Tuesday would be fine"]);
  });

  it("does not answer late words that began while we spoke", () => {
    const player = listening();
    player.pass(100);
    report(player, "turn_ended", { text: "okay", startMs: player.nowMs - 600 });
    expect(texts(player)).toEqual([]);
  });
});

describe("a probable end", () => {
  const prepared = () => {
    const player = listening();
    player.speak(800, null).pass(150);
    report(player, "turn_probably_ended", { text: "I would like to come" });
    expect(player.ofType("reply.prepare")).toMatchObject([{ turnId: 2, turn: { text: "I would like to come" } }]);
    expect(player.phase).toBe("listening");
    return player;
  };

  it("is committed by the end, with the same words", () => {
    const player = prepared();
    report(player, "turn_ended", { text: "I would like to come." });
    expect(committed(player)).toEqual([2]);
    expect(texts(player)).toEqual([]);
    expect(player.ofType("journal.note").map(({ entry }) => entry)).toContainEqual(
      expect.objectContaining({ type: "callee_said", turnId: 2, text: "I would like to come." }),
    );
  });

  it("is committed by silence, if that comes first", () => {
    const player = prepared();
    player.pass(700);
    expect(committed(player)).toEqual([2]);
    report(player, "turn_ended", { text: "I would like to come." });
    expect(player.ofType("reply.start")).toEqual([]);
  });

  it("is withdrawn by other words, which are answered instead", () => {
    const player = prepared();
    report(player, "turn_ended", { text: "I would not like to come" });
    expect(player.ofType("reply.withdraw")).toMatchObject([{ turnId: 2 }]);
    expect(player.ofType("reply.start")).toMatchObject([{ turnId: 3, turn: { text: "I would not like to come" } }]);
  });

  it("is withdrawn when the callee goes on, and our limit starts again", () => {
    const player = prepared();
    player.tell({ type: "recognition.turn_resumed" });
    expect(player.ofType("reply.withdraw")).toMatchObject([{ turnId: 2 }]);
    player.pass(600);
    expect([...committed(player), ...texts(player)]).toEqual([]);
  });

  it("is withdrawn before anything else is said", () => {
    const player = prepared();
    const before = player.effects.length;
    player.tell({ type: "service.ends", farewell: "Goodbye." });
    const names = player.namesSince(before).filter((name) => name.startsWith("reply."));
    expect(names).toEqual(["reply.withdraw", "reply.recite"]);
  });

  it("is withdrawn when the call ends", () => {
    const player = prepared();
    player.tell({ type: "line.ended" });
    expect(player.ofType("reply.withdraw")).toHaveLength(1);
  });

  it("prepares nothing for words that need no answer", () => {
    const player = listening();
    player.speak(500, null).pass(150);
    report(player, "turn_probably_ended", { text: "one moment please" });
    expect(player.ofType("reply.prepare")).toEqual([]);
  });
});

describe("words that are still coming", () => {
  it("are waited for before our silence limit takes the turn", () => {
    const player = listening();
    player.speak(800, null).pass(120);
    report(player, "turn_updated", { text: "I would like to" });
    player.pass(800);
    const last = player.ofType("recognition.ask").at(-1);
    expect(last?.isGuess).toBe(false);
    const askId = last?.askId ?? 0;
    player.tell({
      type: "recognition.heard",
      askId,
      text: "I would like to come",
      words: [],
      best: null,
      confidence: 1,
    });
    expect(texts(player)).toEqual(["I would like to come"]);
  });

  it("are not waited for longer than a second", () => {
    const player = listening();
    player.speak(800, null).pass(120);
    report(player, "turn_updated", { text: "I would come" });
    player.pass(2_000);
    expect(texts(player)).toEqual(["I would come"]);
  });

  it("are waited for longer if none is known, because another recognizer may be taking over", () => {
    const player = listening();
    const answer = (text: string, isProvisional: boolean) => {
      const askId = player.ofType("recognition.ask").at(-1)?.askId ?? 0;
      const heard = { type: "recognition.heard", askId, text, words: [], best: null, confidence: null } as const;
      player.tell({ ...heard, ...(isProvisional && { isProvisional }) });
    };
    player.speak(800, null).pass(300);
    answer("", true);
    player.pass(2_300);
    expect(player.ofType("recognition.ask").at(-1)?.isGuess).toBe(false);
    answer("I would come", false);
    expect(texts(player)).toEqual(["I would come"]);
    expect(player.ofType("incident")).toEqual([]);
  });

  it("interrupt us as soon as they are a request to stop", () => {
    const player = listening();
    player.speak(500, null).pass(150);
    report(player, "turn_ended", { text: "tell me more" });
    player.sound("This is a long story about many things.").pass(1_000);
    player.speak(300, null);
    expect(player.phase).toBe("speaking");
    report(player, "turn_updated", { text: "stop" });
    expect(player.phase).toBe("listening");
  });

  it("may turn listening feedback into an interruption after the pause", () => {
    const player = listening();
    player.speak(500, null).pass(150);
    report(player, "turn_ended", { text: "tell me more" });
    player.sound("This is a long story about many things.").pass(1_000);
    player.speak(400, null).pass(150);
    report(player, "turn_updated", { text: "okay" });
    expect(player.phase).toBe("speaking");
    report(player, "turn_updated", { text: "okay but stop" });
    expect(player.phase).toBe("listening");
  });
});
