import { describe, expect, it } from "vitest";
import { expecting, type Spoken, TurnPlayer } from "../testing/turn-player.ts";

const YES_NO = expecting({ kind: "yes_no", answers: ["yes", "no"] });

/** The agent has been speaking its first reply for some time. */
function whileSpeaking(mayBeInterrupted = true): TurnPlayer {
  const player = new TurnPlayer().greet();
  player.speak(500, "Tell me more.").pass(600);
  player.sound("The doctor has changed his plans for next week.", mayBeInterrupted).pass(1_000);
  return player;
}

const hum = (text: string): Spoken => ({ text, confidence: 0.95 });
const CUT_OFF = ["playout.clear", "reply.abort", "transcript.commit_heard"];

function cutMs(player: TurnPlayer, fromMs: number): number | null {
  const cut = player.ofType("playout.clear").at(-1);
  return cut === undefined ? null : cut.atMs - fromMs;
}

describe("stage one: audio", () => {
  it("lowers our voice by 15 dB after 200 ms of speech, 100 of which passed before it was detected", () => {
    const player = whileSpeaking();
    const fromMs = player.nowMs;
    player.speak(90, null);
    expect(player.ofType("playout.duck")).toEqual([]);
    player.speak(20, null);
    expect(player.ofType("playout.duck")).toEqual([
      { type: "playout.duck", changeDb: -15, rampMs: 40, atMs: fromMs + 100 },
    ]);
    expect(player.phase).toBe("speaking");
  });

  it("does nothing for a noise that is shorter", () => {
    const player = whileSpeaking();
    player.speak(80, null).pass(1_000);
    expect(player.ofType("playout.duck")).toEqual([]);
    expect(player.phase).toBe("speaking");
  });
});

describe("stage two: words", () => {
  it("a back-channel restores our voice, and is not a turn", () => {
    const player = whileSpeaking();
    player.speak(400, hum("Mhm.")).pass(500);
    expect(player.ofType("playout.duck")).toHaveLength(1);
    expect(player.ofType("playout.restore")).toHaveLength(1);
    expect(player.phase).toBe("speaking");
    expect(player.turns()).toHaveLength(1);
    const said = player.ofType("journal.note").map(({ entry }) => entry);
    expect(said).toContainEqual(expect.objectContaining({ type: "callee_said", turnId: 2, text: "Mhm." }));
  });

  it("other words stop us, in one step, and become the next turn", () => {
    const player = whileSpeaking();
    const before = player.effects.length;
    player.speak(900, hum("No, wait, I can not come.")).pass(1_000);
    const names = player.namesSince(before);
    const at = names.indexOf("playout.clear");
    expect(names.slice(at, at + 3)).toEqual(CUT_OFF);
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "No, wait, I can not come." });
  });

  it("a stop word stops us as soon as it is recognized", () => {
    const player = whileSpeaking();
    const fromMs = player.nowMs;
    player.speak(600, { text: "Stop", confidence: 0.7, afterMs: 80 });
    expect(cutMs(player, fromMs)).toBe(440);
  });

  it("words are checked after 360 ms of speech and again every 120 ms", () => {
    const player = whileSpeaking();
    const fromMs = player.nowMs;
    player.speak(590, { text: "So", confidence: 0.6 });
    const asked = player.ofType("recognition.ask").filter(({ atMs }) => atMs > fromMs);
    expect(asked.map(({ atMs }) => atMs - fromMs)).toEqual([360, 480]);
    expect(asked.every(({ isGuess, expected }) => !isGuess && expected.length === 0)).toBe(true);
  });

  it("a callee who speaks over us for 530 ms gets the floor, even if recognition does not answer", () => {
    const player = whileSpeaking();
    const fromMs = player.nowMs;
    player.speak(1_000, null);
    expect(cutMs(player, fromMs)).toBe(530);
  });

  it("a gap between two words does not restart the count, and a pause does", () => {
    const player = whileSpeaking();
    const fromMs = player.nowMs;
    player.speak(300, null).pass(120).speak(1_000, null);
    expect(cutMs(player, fromMs)).toBe(650);
    const slower = whileSpeaking();
    const slowerFromMs = slower.nowMs;
    slower.speak(300, null).pass(200).speak(1_000, null);
    expect(cutMs(slower, slowerFromMs)).toBe(1_030);
  });

  it("a short word whose end is detected late does not count as long speech", () => {
    const player = whileSpeaking();
    player.speak(500, null).pass(90, { probability: 0.6, levelDbfs: -60 });
    player.hears = hum("Thank you.");
    player.pass(600);
    expect(player.ofType("playout.clear")).toEqual([]);
    expect(player.ofType("playout.restore")).toHaveLength(1);
  });

  it("a short word that is misrecognized counts as what people say over others, and is written down as it was recognized", () => {
    const player = whileSpeaking();
    player.speak(500, { text: "Bill Dunne,", confidence: 0.5, best: { answer: "hold on", score: 0.9, margin: 0.8 } });
    const asked = player.pass(200).ofType("recognition.ask").at(-1);
    expect(asked?.expected).toContain("hold on");
    expect(player.ofType("playout.clear")).toHaveLength(1);
    player.pass(1_000);
    const said = player.ofType("journal.note").map(({ entry }) => entry);
    expect(said).toContainEqual(expect.objectContaining({ type: "callee_said", text: "Bill Dunne,", confidence: 0.5 }));
    // It was meant to make us wait, and is not answered.
    expect(player.turns()).toHaveLength(1);
  });

  it("a phrase that fits hardly better than another one changes nothing", () => {
    const player = whileSpeaking();
    const best = { answer: "stop", score: 0.9, margin: 0.1 };
    player.speak(400, { text: "Top", confidence: 0.6, best }).pass(1_000);
    expect(player.ofType("playout.clear")).toEqual([]);
  });

  it("a callee who hums for long gets the floor only after 750 ms", () => {
    const player = whileSpeaking();
    const fromMs = player.nowMs;
    player.speak(1_200, hum("yeah yeah"));
    expect(cutMs(player, fromMs)).toBe(750);
  });

  it("low-confidence words are waited out, and our voice is restored", () => {
    const player = whileSpeaking();
    player.speak(500, { text: "In the", confidence: 0.4 }).pass(1_000);
    expect(player.ofType("playout.clear")).toEqual([]);
    expect(player.ofType("playout.restore")).toHaveLength(1);
    expect(player.turns()).toHaveLength(1);
  });

  it("our own words that come back stop nothing, however long they are", () => {
    const player = whileSpeaking();
    const echoing = { lineEchoes: true, probability: 0.95, levelDbfs: -20 };
    player.hears = hum("has changed his plans");
    player.pass(1_500, echoing).pass(1_000, { lineEchoes: true });
    expect(player.ofType("playout.clear")).toEqual([]);
  });

  it("no one interrupts while it is unknown whether the line echoes", () => {
    const player = whileSpeaking();
    player.hears = hum("I can not come");
    player.pass(900, { lineEchoes: null, probability: 0.95, levelDbfs: -20 }).pass(500, { lineEchoes: null });
    expect(player.ofType("playout.clear")).toEqual([]);
    // It was still said, and counts when we are done.
    player.finish();
    player.pass(300);
    expect(player.turns().at(-1)).toMatchObject({ text: "I can not come" });
  });

  it("what was heard over us before the line was known to echo interrupts nothing once it is", () => {
    const player = whileSpeaking();
    player.hears = { text: "Wait", confidence: 0.95 };
    player.pass(160, { lineEchoes: null, probability: 0.95, levelDbfs: -36 });
    player.pass(1_500, { lineEchoes: true });
    expect(player.phase).toBe("speaking");
    expect(player.ofType("playout.clear")).toEqual([]);
  });

  it("a callee who speaks over us while the line becomes known to echo interrupts", () => {
    const player = whileSpeaking();
    player.hears = { text: "No, I meant Thursday.", confidence: 0.95 };
    player.pass(160, { lineEchoes: null, probability: 0.95, levelDbfs: -20 });
    player.pass(900, { lineEchoes: true, probability: 0.95, levelDbfs: -20 }).pass(1_000, { lineEchoes: true });
    expect(player.turns().at(-1)).toMatchObject({ text: "No, I meant Thursday." });
  });
});

describe("sentences that may not be interrupted", () => {
  it("are neither lowered nor stopped", () => {
    const player = whileSpeaking(false);
    player.speak(1_500, hum("But what about Tuesday?")).pass(500);
    expect(player.ofType("playout.duck")).toEqual([]);
    expect(player.ofType("playout.clear")).toEqual([]);
  });

  it("the words wait for the next sentence that may be", () => {
    const player = whileSpeaking(false);
    player.speak(900, hum("But what about Tuesday?")).pass(1_000);
    const { turnId } = player.state;
    player.tell({ type: "playout.clause_started", turnId, text: "And", mayBeInterrupted: true });
    expect(player.ofType("playout.clear")).toHaveLength(1);
    expect(player.turns().at(-1)).toMatchObject({ text: "But what about Tuesday?" });
  });

  it("the last words before the call ends are spoken to the end over a goodbye", () => {
    const player = whileSpeaking();
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "finished" });
    player.speak(1_500, hum("Okay, thank you, bye bye.")).pass(500);
    expect(player.ofType("playout.duck")).toEqual([]);
    expect(player.ofType("playout.clear")).toEqual([]);
    player.finish();
    player.pass(1_000);
    expect(player.state.at).toEqual({ phase: "ended", reason: "agent_hangup" });
  });

  it("a callee who has something to add to a goodbye is not hung up on", () => {
    const player = whileSpeaking();
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "finished" });
    player.speak(1_200, hum("Wait, one more thing.")).pass(200);
    expect(player.ofType("playout.clear")).toHaveLength(1);
    expect(player.ofType("reply.undo")).toHaveLength(1);
    player.pass(1_000);
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "Tell me more. Wait, one more thing." });
  });

  it("what a voicemail says over the last words changes nothing", () => {
    const player = whileSpeaking();
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "voicemail_left" });
    player.speak(1_200, hum("Wait, one more thing.")).pass(500);
    expect(player.ofType("playout.clear")).toEqual([]);
  });
});

describe("a false interruption", () => {
  /** Spoken for so long that we stopped before its words were known. */
  const cutBy = (text: string) => {
    const player = whileSpeaking();
    player.speak(700, null);
    expect(player.ofType("playout.clear")).toHaveLength(1);
    player.hears = hum(text);
    return player;
  };

  it.each(["Okay.", "I see.", "Mhm, right."])("%s: the reply continues within 1.2 s of silence", (text) => {
    const player = cutBy(text);
    const silentMs = player.nowMs;
    player.pass(1_200);
    const [continued] = player.ofType("reply.start").filter(({ atMs }) => atMs > silentMs);
    expect(continued?.turn).toEqual({ type: "listened", text });
    expect(player.phase).toBe("thinking");
  });

  it("a noise without words: the reply continues", () => {
    const player = cutBy("");
    player.pass(1_200);
    expect(player.turns().at(-1)).toEqual({ type: "listened", text: "" });
  });

  it("a noise that cuts us off repeatedly is eventually asked about", () => {
    const player = cutBy("");
    for (let times = 0; times < 3; times++) {
      player.pass(1_200).sound("The doctor has changed his plans for next week.").pass(1_000);
      player.speak(700, null).pass(10);
      player.hears = hum("");
    }
    player.pass(1_200);
    const types = player.turns().map(({ type }) => type);
    expect(types).toEqual(["said", "listened", "listened", "listened", "unclear"]);
  });

  it("so is a listener who did so repeatedly", () => {
    const player = cutBy("Okay.");
    for (let times = 0; times < 3; times++) {
      player.pass(1_200).sound("The doctor has changed his plans for next week.").pass(1_000);
      player.speak(700, null).pass(10);
      player.hears = hum("Okay.");
    }
    player.pass(1_200);
    expect(player.turns().at(-1)).toEqual({ type: "unclear" });
    expect(player.phase).toBe("thinking");
  });

  it("our own words, coming back on a line that is known to echo: the reply continues", () => {
    const player = whileSpeaking();
    player.hears = null;
    const echoes = { lineEchoes: true, echo: { likeness: 0.2, expectedDbfs: -45 } };
    player.pass(700, { ...echoes, probability: 0.95, levelDbfs: -20 });
    expect(player.ofType("playout.clear")).toHaveLength(1);
    player.hears = hum("The doctor has changed");
    player.pass(1_200, { lineEchoes: true });
    expect(player.turns().at(-1)).toMatchObject({ type: "listened" });
    const said = player.ofType("journal.note").map(({ entry }) => entry);
    expect(said).not.toContainEqual(expect.objectContaining({ text: "The doctor has changed" }));
  });

  it("music: the reply continues", () => {
    const music = { levelDbfs: -22, tonality: 0.9, probability: 0.1 };
    const player = new TurnPlayer().greet();
    player.pass(8_000, music);
    player.hears = { text: "I am here now." };
    player.pass(900, { levelDbfs: -6, tonality: 0.6, probability: 0.9 }).pass(800, music);
    player.sound("The doctor has changed his plans for next week.").pass(7_000, music);
    expect(player.state.music.isOn).toBe(true);
    player.hears = null;
    player.pass(700, { ...music, probability: 0.95 }).pass(10, music);
    expect(player.ofType("playout.clear")).toHaveLength(1);
    player.hears = { text: "love me tender" };
    player.pass(1_200, music);
    expect(player.turns().at(-1)).toMatchObject({ type: "listened" });
  });

  it("a noise that takes back what we say about words we did not catch: the callee is asked once more", () => {
    const player = new TurnPlayer().greet();
    player.speak(600, "").pass(800);
    expect(player.turns()).toEqual([{ type: "unclear" }]);
    player.speak(150, "").pass(1_200);
    expect(player.ofType("reply.undo")).toHaveLength(1);
    expect(player.turns()).toEqual([{ type: "unclear" }, { type: "unclear" }]);
    expect(player.phase).toBe("thinking");
  });

  it("a callee who asks us to wait is waited for", () => {
    const player = cutBy("One moment please.");
    player.pass(8_000);
    player.speak(150, "").pass(3_000);
    expect(player.phase).toBe("listening");
    expect(player.turns()).toHaveLength(1);
  });

  it("words that require an answer get one, even if they begin with a request to wait", () => {
    const player = cutBy("Hold on a second, who are you?");
    player.pass(1_500);
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "Hold on a second, who are you?" });
  });

  it("is not assumed when we failed to hear the words", () => {
    const player = whileSpeaking();
    player.speak(1_500, null).pass(8_000);
    expect(player.turns().at(-1)).toEqual({ type: "unclear" });
  });
});

describe("an answer that comes a little early", () => {
  it("is accepted when the question has ended", () => {
    const player = whileSpeaking();
    player.tell({ type: "brain.expects", expectation: YES_NO });
    player.speak(400, hum("Yes.")).pass(600).finish(YES_NO);
    player.pass(50);
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "Yes." });
  });

  it("only counts as listening feedback when it came long before", () => {
    const player = whileSpeaking();
    player.tell({ type: "brain.expects", expectation: YES_NO });
    player.speak(400, hum("Yes.")).pass(3_000).finish(YES_NO);
    player.pass(500);
    expect(player.turns()).toHaveLength(1);
    expect(player.phase).toBe("listening");
  });

  it("is answered when what was said lasts far into the callee's turn, whatever it sounds like", () => {
    const player = whileSpeaking(false);
    player.speak(300, hum("All right.")).finish();
    player.speak(900, hum("All right.")).pass(2_000);
    expect(player.turns().at(-1)).toMatchObject({ type: "said", text: "All right." });
    const asked = player.ofType("recognition.ask").at(-1);
    expect(asked?.expected, "what listeners say is not suggested").not.toContain("all right");
  });

  it("is not one if it ends shortly after the agent", () => {
    const player = whileSpeaking(false);
    player.speak(300, hum("All right.")).finish();
    player.speak(300, hum("All right.")).pass(2_000);
    expect(player.turns()).toHaveLength(1);
  });
});
