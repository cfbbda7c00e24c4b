import { describe, expect, it } from "vitest";
import { expecting, TurnPlayer } from "./testing/turn-player.ts";

/** The callee said something and the agent is going to answer. */
function aboutToAnswer(): TurnPlayer {
  const player = new TurnPlayer().greet();
  player.speak(500, "I would like Tuesday.").pass(500);
  expect(player.phase).toBe("thinking");
  return player;
}

const undone = (player: TurnPlayer) => player.ofType("reply.undo");

describe("the callee continues", () => {
  it("within 400 ms of our start: the reply is taken back and the texts are one", () => {
    const player = aboutToAnswer();
    player.sound("Very well.").pass(300);
    player.speak(700, "or better Thursday.").pass(1_000);
    expect(undone(player)).toMatchObject([{ turnId: 2 }]);
    expect(player.turns()).toMatchObject([
      { text: "I would like Tuesday." },
      { text: "I would like Tuesday. or better Thursday." },
    ]);
  });

  it("the reply is cut off before it is taken back, in one step", () => {
    const player = aboutToAnswer();
    player.sound("Very well.").pass(200);
    const before = player.effects.length;
    player.speak(200, "or");
    const names = player.namesSince(before);
    const at = names.indexOf("playout.clear");
    expect(names.slice(at, at + 3)).toEqual(["playout.clear", "reply.abort", "transcript.commit_heard"]);
    expect(names.indexOf("reply.undo")).toBeGreaterThan(at + 2);
  });

  it("before anything was heard: the reply is dropped immediately", () => {
    const player = aboutToAnswer();
    player.pass(100);
    const fromMs = player.nowMs;
    player.speak(200, "or Thursday.");
    expect(undone(player)).toMatchObject([{ turnId: 2, atMs: fromMs + 70 }]);
  });

  it("later than 400 ms after our start it is an interruption, and the turn stands", () => {
    const player = aboutToAnswer();
    player.sound("Very well, Tuesday it is.").pass(500);
    player.speak(900, { text: "No, Thursday.", confidence: 0.9 }).pass(1_000);
    expect(undone(player)).toEqual([]);
    expect(player.turns().at(-1)).toMatchObject({ text: "No, Thursday." });
  });

  it("a cough as we start is answered as if nothing had happened", () => {
    const player = aboutToAnswer();
    player.sound("Very well.").pass(100);
    player.speak(150, "").pass(1_500);
    expect(player.turns()).toMatchObject([{ text: "I would like Tuesday." }, { text: "I would like Tuesday." }]);
  });

  it("what was done on the line is not undone", () => {
    const player = aboutToAnswer();
    player.tell({ type: "reply.cue", turnId: 2, cue: { type: "press", keys: "1" } });
    player.speak(300, "or Thursday.").pass(100);
    expect(undone(player)).toEqual([]);
  });

  it("a prompt to a silent callee is taken back if they start to speak", () => {
    const player = new TurnPlayer().greet();
    player.pass(10_000);
    expect(player.turns()).toEqual([{ type: "silent", count: 1 }]);
    player.speak(800, "I was looking for a pen.").pass(1_000);
    expect(undone(player)).toHaveLength(1);
    expect(player.turns().at(-1)).toMatchObject({ text: "I was looking for a pen." });
  });

  it("is remembered as a pause of this callee", () => {
    const player = aboutToAnswer();
    player.sound("Very well.").pass(100);
    player.speak(300, "or Thursday.");
    expect(player.state.pace.pausesMs).toHaveLength(1);
  });
});

describe("a callee who hums as we start, having answered", () => {
  const best = { answer: "thursday", score: 0.8, margin: 0.4 };

  /** The callee said something that only matched by the audio of the expected answers. */
  function answered(): TurnPlayer {
    const expectation = expecting({ kind: "choice", answers: ["tuesday", "thursday"] });
    const player = new TurnPlayer().greet(expectation);
    player.speak(500, { text: "Thirst day.", best }).pass(400);
    expect(player.turns()).toEqual([{ type: "said", text: "Thirst day.", best }]);
    player.sound("Very well.").pass(100);
    return player;
  }

  it.each([
    ["a hum", { text: "Mhm." }],
    [
      "a hum that fits what people say when they listen",
      { text: "I'm home.", best: { answer: "mhm", score: 0.6, margin: 0.5 } },
    ],
    ["a cough", { text: "" }],
  ])("is understood as before: %s", (_, spoken) => {
    const player = answered();
    player.speak(300, spoken).pass(1_500);
    expect(undone(player)).toHaveLength(1);
    expect(player.turns().at(-1)).toEqual({ type: "said", text: "Thirst day.", best });
  });

  it("is interpreted again when more was said than a hum", () => {
    const player = answered();
    player.speak(600, "No, better Tuesday.").pass(1_500);
    expect(player.turns().at(-1)).toEqual({ type: "said", text: "Thirst day. No, better Tuesday.", best: null });
  });

  it("keeps a word that may belong to an incomplete answer", () => {
    const player = aboutToAnswer();
    player.sound("Very well.").pass(100);
    player.speak(300, "Yeah.").pass(1_500);
    expect(player.turns().at(-1)).toMatchObject({ text: "I would like Tuesday. Yeah." });
  });
});
