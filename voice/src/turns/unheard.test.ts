import { describe, expect, it } from "vitest";
import { expecting, TurnPlayer } from "./testing/turn-player.ts";

const NEVER = "the far end reports that none of our audio arrives";
const STOPPED = "the far end reports that our audio stopped arriving";

const endOf = ({ state: { at } }: TurnPlayer) => (at.phase === "ended" ? at.reason : null);
const incidents = (player: TurnPlayer) =>
  player.ofType("incident").map(({ what, reason, isUpdate = false }) => ({ what, reason, isUpdate }));
const noted = (reason: string) => ({ what: "not_heard", reason, isUpdate: false });
const settled = (reason: string) => ({ what: "not_heard", reason, isUpdate: true });

const reportUnheard = (player: TurnPlayer, wasHeard: boolean, forMs = 10_000) =>
  player.tell({ type: "line.not_heard", wasHeard, forMs });
const answer = (player: TurnPlayer, text = "Good.") => player.sound(text).pass(800).finish();

describe("a callee who does not hear us, by the far end's reports", () => {
  it("is not called silent, and the record says why", () => {
    const player = new TurnPlayer().greet();
    player.pass(10_050);
    answer(player, "Are you still there?");
    reportUnheard(player, false);
    expect(incidents(player)).toEqual([noted(NEVER)]);
    player.pass(40_000);
    expect(endOf(player)).toBe("no_audio");
    expect(incidents(player)).toEqual([noted(NEVER), settled(NEVER)]);
  });

  it("is not called silent either when the agent leaves because of the silence", () => {
    const player = new TurnPlayer().greet();
    reportUnheard(player, false);
    player.pass(10_050).sound("Goodbye.");
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "finished" });
    player.pass(800).finish().pass(1_000);
    expect(endOf(player)).toBe("no_audio");
  });

  it("who says hello and hangs up has hung up, and the record says that nothing was heard", () => {
    const player = new TurnPlayer().greet();
    reportUnheard(player, false);
    player.speak(600, "Hello?").pass(1_000);
    answer(player);
    expect(incidents(player)).toEqual([]);
    player.tell({ type: "line.ended" });
    expect(endOf(player)).toBe("callee_hangup");
    expect(incidents(player)).toEqual([noted(NEVER), settled(NEVER)]);
  });

  it("is distinguished from one on a far end that never reports, who answers what was asked", () => {
    const best = { answer: "yes", score: 0.9, margin: 0.5 };
    const player = new TurnPlayer().greet(expecting({ kind: "choice", answers: ["yes"] }));
    reportUnheard(player, false);
    player.speak(600, { text: "Yes.", best }).pass(1_000);
    answer(player);
    player.pass(10_050);
    answer(player, "Are you still there?");
    player.pass(40_000);
    expect([endOf(player), incidents(player)]).toEqual(["silence", []]);
  });

  it("is distinguished from one who keeps talking with us, whatever is asked", () => {
    const player = new TurnPlayer().greet();
    reportUnheard(player, false);
    for (const text of ["I would like an appointment.", "Next week.", "In the morning."]) {
      player.speak(700, text).pass(1_000);
      answer(player);
    }
    player.tell({ type: "line.ended" });
    expect([endOf(player), incidents(player)]).toEqual(["callee_hangup", []]);
  });

  it("after having been heard is recorded immediately, and the call continues", () => {
    const player = new TurnPlayer().greet();
    player.speak(700, "Tell me more.").pass(1_000);
    answer(player);
    reportUnheard(player, true, 15_000);
    expect(incidents(player)).toEqual([noted(STOPPED)]);
    player.pass(5_000);
    expect(player.phase).toBe("listening");
    player.tell({ type: "line.heard_again" });
    expect(incidents(player)).toEqual([noted(STOPPED), settled(STOPPED)]);
    expect(player.phase).toBe("listening");
  });

  it("has the total duration counted, from the answer at the earliest", () => {
    const player = new TurnPlayer().greet();
    reportUnheard(player, true, 60_000);
    player.pass(3_000);
    player.tell({ type: "line.heard_again" });
    reportUnheard(player, true, 0);
    player.pass(2_000);
    player.tell({ type: "line.heard_again" });
    const answeredMs = player.state.answeredMs;
    const totals = player.ofType("incident").flatMap(({ totalMs }) => (totalMs === undefined ? [] : [totalMs]));
    const firstMs = player.nowMs - 2_000 - answeredMs;
    expect(totals).toEqual([firstMs, firstMs + 2_000]);
  });

  it("a silence after the far end hears us again is silence", () => {
    const player = new TurnPlayer().greet();
    reportUnheard(player, true);
    player.tell({ type: "line.heard_again" });
    player.pass(10_050);
    answer(player, "Are you still there?");
    player.pass(40_000);
    expect(endOf(player)).toBe("silence");
  });
});
