import { expect, test } from "vitest";
import { expecting, TurnPlayer } from "../testing/turn-player.ts";

const YES_NO = expecting({ kind: "yes_no", answers: ["yes", "no"] });

function timingsOf(player: TurnPlayer) {
  return player.ofType("journal.note").flatMap(({ entry }) => (entry.type === "turn_timing" ? [entry.timing] : []));
}

test("every turn reports where its time went, from the callee's last audio to our first", () => {
  const player = new TurnPlayer().greet(YES_NO);
  player.speak(500, { text: "Yes.", afterMs: 250 }).pass(360);
  const { turnId } = player.state;
  player.pass(40);
  player.tell({ type: "reply.clause", turnId, text: "Good." });
  player.pass(60);
  player.tell({ type: "playout.started", turnId, startMs: player.nowMs });
  expect(timingsOf(player)).toEqual([
    {
      turnId: 2,
      holdMs: 240,
      recognitionMs: 110,
      decisionMs: 50,
      firstAudioMs: 60,
      totalMs: 460,
      stages: [
        { stage: "hold", ms: 240 },
        { stage: "recognition", ms: 110 },
        { stage: "flow", ms: 50 },
        { stage: "voice", ms: 60 },
      ],
      ducks: 0,
      interruptions: 0,
      undos: 0,
    },
  ]);
});

/** The stages of the only reply, by name. */
function stagesOf(player: TurnPlayer) {
  const [timing] = timingsOf(player);
  const stages = timing?.stages ?? [];
  expect(stages.reduce((sum, { ms }) => sum + ms, 0)).toBe(timing?.totalMs);
  return Object.fromEntries(stages.map(({ stage, ms }) => [stage, ms]));
}

test("a reply that waited for a free recognizer says so, apart from the recognition itself", () => {
  const player = new TurnPlayer().greet(YES_NO);
  player.speak(500, { text: "Yes.", afterMs: 800, workMs: 150 }).pass(1_200).sound("Good.");
  const { hold, recognition_queue, recognition } = stagesOf(player);
  expect({ hold, recognition }).toEqual({ hold: 240, recognition: 150 });
  expect(recognition_queue).toBeGreaterThan(400);
});

test("recognition that is done before the callee is known to have finished delays nothing", () => {
  const player = new TurnPlayer().greet(YES_NO);
  player.speak(500, { text: "Yes.", afterMs: 100, workMs: 80 }).pass(240).sound("Good.");
  expect(stagesOf(player)).toEqual({ hold: 240 });
});

test("the end of speech that was noticed late is told from slow recognition", () => {
  const player = new TurnPlayer().greet(YES_NO);
  player.speak(500, { text: "Yes.", workMs: 0 });
  const spokenMs = player.nowMs;
  // Speech detection stops for a while, and then catches up.
  player.nowMs += 900;
  for (let endMs = spokenMs + 10; endMs <= player.nowMs; endMs += 10) player.hearSilenceUntil(endMs);
  player.pass(10).sound("Good.");
  expect(stagesOf(player)).toMatchObject({ hold: 240, detection: 660 });
});

test("the judges, the language model, a request and the voice each have their own time", () => {
  const player = new TurnPlayer().greet(YES_NO);
  player.speak(500, "Yes.").pass(240);
  const { turnId } = player.state;
  player.tell({ type: "reply.waits", turnId, on: "judges" });
  player.pass(100);
  player.tell({ type: "reply.progressed", turnId });
  player.tell({ type: "reply.waits", turnId, on: "model" });
  player.pass(700);
  player.tell({ type: "reply.progressed", turnId });
  player.tell({ type: "reply.waits", turnId, on: "tool" });
  player.pass(300);
  player.tell({ type: "reply.progressed", turnId });
  player.tell({ type: "reply.waits", turnId, on: "model" });
  player.pass(200);
  player.tell({ type: "reply.clause", turnId, text: "Good." });
  player.tell({ type: "reply.waits", turnId, on: "model" });
  player.pass(80);
  player.tell({ type: "reply.ready", turnId });
  player.pass(20);
  player.tell({ type: "playout.started", turnId, startMs: player.nowMs });
  expect(stagesOf(player)).toEqual({ hold: 240, judges: 100, model: 900, tool: 300, voice: 80, playout: 20 });
});

test("an answer that was given before the agent had finished waited for the agent, not for recognition", () => {
  const player = new TurnPlayer().greet(YES_NO);
  player.speak(500, "Yes.").pass(240).sound("Are you sure about that?", false).pass(500);
  player.speak(500, "Yes, I am.").pass(800);
  player.finish(YES_NO).pass(10).sound("Good.");
  const timing = timingsOf(player).at(-1);
  expect(timing?.recognitionMs).toBe(0);
  expect(timing?.stages).toContainEqual({ stage: "own_speech", ms: expect.any(Number) });
  expect(timing?.stages.map(({ stage }) => stage)).not.toContain("recognition");
});

test("interruptions, undos and lowered voices are counted with the turn they led to, once", () => {
  const player = new TurnPlayer().greet(YES_NO);
  player.speak(500, "Yes.").pass(300).sound("Good.").pass(1_000);
  player.speak(900, { text: "No, wait, not then.", confidence: 0.9 }).pass(1_000).sound("When then?").pass(100);
  player.speak(300, "on Monday.").pass(1_500).sound("Monday it is.");
  const counts = timingsOf(player).map(({ ducks, interruptions, undos }) => ({ ducks, interruptions, undos }));
  expect(counts).toEqual([
    { ducks: 0, interruptions: 0, undos: 0 },
    { ducks: 1, interruptions: 1, undos: 0 },
    { ducks: 1, interruptions: 0, undos: 1 },
  ]);
});

test("a greeting and a question to a silent callee have no such times", () => {
  const player = new TurnPlayer().greet();
  player.pass(10_100).sound("Are you there?");
  expect(timingsOf(player)).toEqual([]);
});
