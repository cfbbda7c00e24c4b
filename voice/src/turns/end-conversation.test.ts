import { describe, expect, it } from "vitest";
import { TurnPlayer } from "./testing/turn-player.ts";

const endOf = (player: TurnPlayer) => (player.state.at.phase === "ended" ? player.state.at.reason : null);

function speaking(): TurnPlayer {
  const player = new TurnPlayer().greet();
  player.speak(500, "Tell me more.").pass(600);
  return player.sound("Very well.").pass(500);
}

describe("the end of a call", () => {
  it("a hang-up while we speak: silence, abort, what was heard, and why", () => {
    const player = speaking();
    const before = player.effects.length;
    player.tell({ type: "line.ended" });
    const names = player.namesSince(before).filter((name) => name !== "timer.cancel");
    expect(names).toEqual(["playout.clear", "reply.abort", "transcript.commit_heard", "journal.note"]);
    expect(endOf(player)).toBe("callee_hangup");
    expect(player.ofType("line.hangup")).toEqual([]);
  });

  it("the last answer is heard before we hang up, plus 300 ms of transit", () => {
    const player = speaking();
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "finished" });
    player.pass(1_000).finish();
    player.pass(290);
    expect(endOf(player)).toBeNull();
    player.pass(20);
    expect(endOf(player)).toBe("agent_hangup");
    expect(player.ofType("transcript.commit_heard").at(-1)).toMatchObject({ wasCut: false });
  });

  it("a callee who hangs up while we close does not change the end reason", () => {
    const player = speaking();
    player.tell({ type: "reply.closes", turnId: player.state.turnId, reason: "finished" });
    player.finish();
    player.tell({ type: "line.ended" });
    expect(endOf(player)).toBe("agent_hangup");
  });

  it("the service may end it with a last line, which cannot be interrupted", () => {
    const player = speaking();
    player.tell({ type: "service.ends", farewell: "Goodbye." });
    expect(player.ofType("reply.recite")).toMatchObject([{ text: "Goodbye." }]);
    player.sound("Goodbye.").speak(1_500, { text: "Wait a minute", confidence: 0.9 }).finish();
    player.pass(500);
    expect(player.ofType("playout.clear")).toHaveLength(1);
    expect(endOf(player)).toBe("agent_hangup");
  });

  it("a last line that cannot be spoken is not waited for", () => {
    const player = speaking();
    player.tell({ type: "service.ends", farewell: "Goodbye." });
    player.pass(8_100);
    expect(endOf(player)).toBe("agent_hangup");
  });

  it("without a last line it ends immediately", () => {
    const player = speaking();
    player.tell({ type: "service.ends", farewell: null });
    expect(endOf(player)).toBe("agent_hangup");
  });
});

describe("a reply that fails", () => {
  function thinking(): TurnPlayer {
    const player = new TurnPlayer().greet();
    return player.speak(500, "Tell me more.").pass(600);
  }
  const fail = (player: TurnPlayer) =>
    player.tell({ type: "reply.failed", turnId: player.state.turnId, part: "voice", reason: "broken" });

  it("unheard, is followed by asking the callee again", () => {
    const player = thinking();
    fail(player);
    expect(player.turns().at(-1)).toEqual({ type: "unclear" });
    expect(player.phase).toBe("thinking");
  });

  it("twice in a row, unheard, ends the call", () => {
    const player = thinking();
    fail(player);
    fail(player);
    expect(endOf(player)).toBe("engine_error");
  });

  it("in the middle of speaking leaves the callee the floor", () => {
    const player = thinking();
    player.sound("Very well.").pass(300);
    fail(player);
    expect(player.phase).toBe("listening");
  });

  it("without a word for 12 s is counted and treated the same", () => {
    const player = thinking();
    player.pass(12_100);
    expect(player.ofType("incident")).toMatchObject([{ what: "speech_failed" }]);
    expect(player.turns().at(-1)).toEqual({ type: "unclear" });
  });

  it("is not stuck while it still produces something", () => {
    const player = thinking();
    for (let times = 0; times < 4; times++) {
      player.pass(10_000);
      player.tell({ type: "reply.progressed", turnId: player.state.turnId });
    }
    expect(player.ofType("incident")).toEqual([]);
  });

  it("a line that stops playing is noticed, and the agent can continue", () => {
    const player = thinking();
    player.sound("Very well.").pass(36_000);
    expect(player.ofType("incident")).toMatchObject([{ what: "audio_late" }]);
    expect(player.phase).toBe("listening");
  });
});

describe("a transfer", () => {
  function transferring(): TurnPlayer {
    const player = speaking();
    const { turnId } = player.state;
    player.tell({ type: "reply.cue", turnId, cue: { type: "transfer", to: "+15550100", how: "auto" } });
    return player;
  }
  const progress = (player: TurnPlayer, state: "ringing" | "completed" | "failed") =>
    player.tell({ type: "line.transfer_progressed", state, reason: "busy" });

  it("leaves the line to the other two when it succeeds", () => {
    const player = transferring().finish();
    expect(player.ofType("line.transfer")).toMatchObject([{ request: { to: "+15550100", how: "auto" } }]);
    progress(player, "ringing");
    expect(player.phase).toBe("transferring");
    progress(player, "completed");
    expect(endOf(player)).toBe("transferred");
    expect(player.ofType("line.hangup")).toEqual([]);
  });

  it("that fails is announced to the callee", () => {
    const player = transferring().finish();
    progress(player, "failed");
    expect(player.turns().at(-1)).toEqual({ type: "transfer_failed", reason: "busy" });
  });

  it("that fails while we still speak is announced afterwards", () => {
    const player = transferring();
    progress(player, "failed");
    expect(player.turns()).toHaveLength(1);
    player.finish();
    expect(player.turns().at(-1)).toEqual({ type: "transfer_failed", reason: "busy" });
  });

  it("that is never reported on is abandoned after a timeout", () => {
    const player = transferring().finish();
    player.pass(91_000);
    expect(player.turns().at(-1)).toMatchObject({ type: "transfer_failed" });
  });
});
