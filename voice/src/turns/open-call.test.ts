import { describe, expect, it } from "vitest";
import { TurnPlayer } from "./testing/turn-player.ts";

function answered(greeting: "after_hello" | "immediate", isReady = true): TurnPlayer {
  const player = new TurnPlayer({ greeting });
  player.tell({ type: "line.answered" });
  if (isReady) player.tell({ type: "reply.ready", turnId: 1 });
  return player;
}

const beganMs = (player: TurnPlayer) => player.ofType("reply.play")[0]?.atMs ?? null;

describe("who begins", () => {
  it("while it rings, the first words are rendered and nothing else happens", () => {
    const player = new TurnPlayer();
    player.pass(20_000);
    expect(player.effects.map(({ type }) => type)).toEqual(["opening.prepare"]);
  });

  it("the flow begins with the answer", () => {
    const player = new TurnPlayer();
    player.pass(5_000);
    player.tell({ type: "line.answered" });
    expect(player.ofType("reply.open")).toMatchObject([{ turnId: 1, atMs: 5_000 }]);
    expect(beganMs(player)).toBeNull();
  });

  it("immediate: we begin with the answer", () => {
    expect(beganMs(answered("immediate"))).toBe(0);
  });

  it("after hello: we wait for the callee's first words, at most 1,200 ms", () => {
    const player = answered("after_hello");
    player.pass(1_190);
    expect(beganMs(player)).toBeNull();
    player.pass(20);
    expect(beganMs(player)).toBe(1_200);
  });

  it("after hello: we begin 240 ms after a hello", () => {
    const player = answered("after_hello");
    player.pass(400).speak(500, "Hello?").pass(400);
    expect(beganMs(player)).toBe(1_140);
    expect(player.ofType("journal.note").map(({ entry }) => entry)).toContainEqual(
      expect.objectContaining({ type: "callee_said", turnId: 0, text: "Hello?" }),
    );
  });

  it("a hello that has begun is waited for beyond the 1,200 ms", () => {
    const player = answered("after_hello");
    player.pass(1_000).speak(800, "Hello?").pass(300);
    expect(beganMs(player)).toBe(2_040);
  });

  it("a callee who keeps speaking is greeted after twelve seconds", () => {
    const player = answered("after_hello");
    player.pass(200).speak(14_000, "this is the office of");
    expect(beganMs(player)).toBe(12_200);
  });

  it("slow recognition of a hello causes no delay", () => {
    const player = answered("after_hello");
    player.pass(300).speak(500, null).pass(1_000);
    expect(beganMs(player)).toBe(1_500);
  });

  it("the callee's first words never interrupt", () => {
    const player = answered("after_hello");
    player.pass(1_200).sound("Hello, this is the clinic.").pass(300);
    player.speak(1_500, { text: "Wait, who is this?", confidence: 0.95 }).pass(1_000);
    expect(player.ofType("playout.duck")).toEqual([]);
    expect(player.ofType("playout.clear")).toEqual([]);
    expect(player.turns()).toEqual([]);
  });

  it("what is said later in the greeting does", () => {
    const player = answered("immediate");
    player.sound("Hello, this is the clinic, and this will take long.").pass(4_000);
    player.speak(1_000, { text: "Wait, who is this?", confidence: 0.95 });
    expect(player.ofType("playout.clear")).toHaveLength(1);
  });
});

describe("the callee never hears only silence", () => {
  it("the caller is identified when the greeting is not ready 2 s after the answer", () => {
    const player = answered("after_hello", false);
    player.pass(1_990);
    expect(player.ofType("playout.identify")).toEqual([]);
    player.pass(20);
    expect(player.ofType("playout.identify")).toMatchObject([{ atMs: 2_000 }]);
    expect(player.ofType("incident")).toMatchObject([{ what: "speech_late" }]);
    player.tell({ type: "reply.ready", turnId: 1 });
    expect(beganMs(player)).toBe(2_010);
  });

  it("the caller is not identified when the greeting only waits for the callee", () => {
    const player = answered("after_hello");
    player.pass(200).speak(3_000, "hello hello").pass(1_000);
    expect(player.ofType("playout.identify")).toEqual([]);
  });

  it("a greeting that cannot be rendered ends the call after that", () => {
    const player = answered("after_hello", false);
    player.tell({ type: "reply.failed", turnId: 1, part: "voice", reason: "broken" });
    expect(player.ofType("playout.identify")).toHaveLength(1);
    player.pass(4_100);
    expect(player.state.at).toEqual({ phase: "ended", reason: "engine_error" });
  });

  it("a greeting that never arrives ends the call after ten seconds", () => {
    const player = answered("immediate", false);
    player.pass(10_100);
    expect(player.state.at).toEqual({ phase: "ended", reason: "engine_error" });
  });
});
