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
      ducks: 0,
      interruptions: 0,
      undos: 0,
    },
  ]);
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
