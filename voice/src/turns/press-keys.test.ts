import { describe, expect, it } from "vitest";
import { expecting, FREE_SPEECH, TurnPlayer } from "./testing/turn-player.ts";

const PIN = expecting({ kind: "digits", length: 4, keysMax: 4 });

function press(player: TurnPlayer, keys: string): TurnPlayer {
  for (const key of keys) player.tell({ type: "line.key_pressed", key });
  return player;
}

describe("keys pressed by the callee", () => {
  it("are an answer as soon as they are complete", () => {
    expect(press(new TurnPlayer().greet(PIN), "1234").turns()).toEqual([{ type: "pressed", keys: "1234" }]);
  });

  it("are an answer after a pause of 1,500 ms when they are fewer", () => {
    const player = press(new TurnPlayer().greet(PIN), "12").pass(1_400);
    expect(player.turns()).toEqual([]);
    expect(player.pass(200).turns()).toEqual([{ type: "pressed", keys: "12" }]);
  });

  it("are ended by the hash key, which is not part of them", () => {
    expect(press(new TurnPlayer().greet(PIN), "12#").turns()).toEqual([{ type: "pressed", keys: "12" }]);
  });

  it("stop us while we speak, and what follows belongs to them", () => {
    const player = new TurnPlayer().greet(PIN);
    player.speak(500, "What?").pass(800).sound("Please enter your code.").pass(1_000);
    press(player, "1");
    expect(player.ofType("playout.clear")).toHaveLength(1);
    press(player, "234");
    expect(player.turns().at(-1)).toEqual({ type: "pressed", keys: "1234" });
  });

  it("outweigh what is said along with them", () => {
    const player = new TurnPlayer().greet(PIN);
    player.speak(300, "er");
    press(player, "1234");
    player.pass(3_000);
    expect(player.turns()).toEqual([{ type: "pressed", keys: "1234" }]);
  });

  it("are recorded and change nothing where keys are not an answer", () => {
    const player = press(new TurnPlayer().greet(FREE_SPEECH), "1234").pass(3_000);
    expect(player.turns()).toEqual([]);
    const noted = player.ofType("journal.note").map(({ entry }) => entry);
    expect(noted.filter(({ type }) => type === "dtmf")).toHaveLength(4);
  });

  it("show that someone is there", () => {
    const player = new TurnPlayer().greet(FREE_SPEECH).pass(8_000);
    press(player, "1").pass(8_000);
    expect(player.turns()).toEqual([]);
  });
});
