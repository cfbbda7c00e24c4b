import { describe, expect, it } from "vitest";
import type { AnsweredBy } from "../ports/conversation-journal.ts";
import { TurnPlayer } from "./testing/turn-player.ts";
import type { TurnPlan } from "./turn-state.ts";

function call(voicemail: TurnPlan["voicemail"]): TurnPlayer {
  const player = new TurnPlayer({ voicemail, greeting: "after_hello" });
  player.tell({ type: "line.answered" });
  player.tell({ type: "reply.ready", turnId: 1 });
  return player.pass(1_300).sound("Hello, this is the clinic.").pass(2_000);
}

function judge(player: TurnPlayer, kind: AnsweredBy): void {
  player.tell({ type: "screening.decided", decision: { type: "answered_by", kind, reason: "heard so" } });
}

function beep(player: TurnPlayer): void {
  player.tell({ type: "screening.decided", decision: { type: "beep", atMs: player.nowMs } });
}

const endOf = (player: TurnPlayer) => (player.state.at.phase === "ended" ? player.state.at.reason : null);
const HANG_UP = { action: "hang_up", message: null } as const;
const LEAVE = { action: "leave_message", message: "Please call us back." } as const;

describe("a voicemail", () => {
  it("is hung up on if the call requests it", () => {
    const player = call(HANG_UP);
    judge(player, "voicemail");
    expect(endOf(player)).toBe("voicemail_hangup");
  });

  it("gets the message after its tone, and then the call ends", () => {
    const player = call(LEAVE);
    judge(player, "voicemail");
    expect(player.ofType("playout.clear")).toHaveLength(1);
    player.speak(4_000).pass(200);
    expect(player.ofType("reply.recite")).toEqual([]);
    beep(player);
    expect(player.ofType("reply.recite")).toMatchObject([{ text: "Please call us back." }]);
    player.sound("Please call us back.").pass(1_000).finish();
    player.pass(500);
    expect(endOf(player)).toBe("voicemail_left");
  });

  it("gets it even when the tone came just before the voicemail was recognized", () => {
    const player = call(LEAVE);
    beep(player);
    player.pass(500);
    judge(player, "voicemail");
    expect(player.ofType("reply.recite")).toHaveLength(1);
  });

  it("gets it after 2.5 s of silence if no tone is recognized", () => {
    const player = call(LEAVE);
    judge(player, "voicemail");
    player.speak(3_000).pass(2_400);
    expect(player.ofType("reply.recite")).toEqual([]);
    player.pass(300);
    expect(player.ofType("reply.recite")).toHaveLength(1);
  });

  it("gets what the flow says if the call has no message of its own", () => {
    const player = call({ action: "leave_message", message: null });
    judge(player, "voicemail");
    beep(player);
    expect(player.turns()).toEqual([{ type: "machine", kind: "voicemail" }]);
  });

  it("is talked to like a person if the call requests it", () => {
    const player = call({ action: "continue", message: null });
    judge(player, "voicemail");
    expect(player.phase).toBe("speaking");
  });

  it("that turns out to be a human has the floor", () => {
    const player = call(LEAVE);
    judge(player, "voicemail");
    judge(player, "human");
    expect(player.phase).toBe("listening");
    player.speak(700, "Hello, who is there?").pass(1_000);
    expect(player.turns()).toMatchObject([{ text: "Hello, who is there?" }]);
  });
});

describe("other machines", () => {
  it("a fax ends the call", () => {
    const player = call(HANG_UP);
    judge(player, "fax");
    expect(endOf(player)).toBe("fax");
  });

  it("a number that cannot be reached ends the call with that reason", () => {
    const player = call(HANG_UP);
    player.tell({ type: "screening.decided", decision: { type: "unreachable", reason: "not in service" } });
    expect(endOf(player)).toBe("unreachable");
  });

  it.each(["ivr", "screening"] as const)("the flow answers to %s, once, and its voice does not interrupt", (kind) => {
    const player = call(HANG_UP);
    judge(player, kind);
    judge(player, kind);
    expect(player.turns()).toEqual([{ type: "machine", kind }]);
    player.sound("This is the clinic.").speak(2_000, { text: "Press one for sales", confidence: 0.95 });
    expect(player.ofType("playout.clear")).toHaveLength(1);
  });

  it.each(["human", "unknown"] as const)("%s disturbs nothing", (kind) => {
    const player = call(HANG_UP);
    const before = player.state.at;
    judge(player, kind);
    expect(player.state.at).toBe(before);
  });
});
