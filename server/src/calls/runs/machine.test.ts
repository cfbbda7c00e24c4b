import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RunEffect, type RunEvent, type RunState, stepRun } from "./machine.ts";

const ended = (
  by: "callee" | "us" | "network",
  cause: "hangup" | "busy" | "canceled" | "lost" | "media_timeout" | "blocked" = "hangup",
): RunEvent => ({
  type: "ended",
  cause,
  code: null,
  reason: "",
  by,
});

function play(...events: RunEvent[]): { state: RunState; effects: RunEffect[] } {
  let state: RunState = { phase: "waiting", tries: 0 };
  const effects: RunEffect[] = [];
  for (const event of events) {
    const [next, more] = stepRun(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
}

const types = (effects: readonly RunEffect[]) => effects.map((effect) => effect.type);
const decisionOf = (effects: readonly RunEffect[]) => effects.find((effect) => effect.type === "commit_end");

const notesOf = (effects: readonly RunEffect[]) => effects.filter((effect) => effect.type === "commit_note");
const done: RunEvent = { type: "conversation.finished" };
const sent: readonly RunEvent[] = [{ type: "send_time.reached" }, { type: "dial.written" }, { type: "dial.sent" }];
const answered: readonly RunEvent[] = [...sent, { type: "answered" }];

describe("a run", () => {
  test("that is answered and hung up by the callee is completed by the callee", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "ringing" },
      { type: "answered" },
      ended("callee"),
      done,
    );
    expect(types(effects)).toEqual([
      "dial",
      "start_timer",
      "commit_ringing",
      "commit_talking",
      "start_timer",
      "start_timer",
      "settle",
      "commit_end",
    ]);
    expect(decisionOf(effects)).toMatchObject({
      answered: true,
      decision: { reason: "callee_hangup", by: "callee", isOrderly: true },
    });
  });

  test("that finds the line busy fails as busy", () => {
    const { effects } = play({ type: "send_time.reached" }, { type: "dial.sent" }, ended("callee", "busy"));
    expect(decisionOf(effects)).toMatchObject({ answered: false, decision: { reason: "busy", isOrderly: false } });
  });

  test("that is not answered is canceled at the network and ends as no_answer", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "ringing" },
      { type: "ring_time.over" },
      ended("us", "canceled"),
    );
    expect(types(effects)).toContain("hang_up");
    expect(decisionOf(effects)).toMatchObject({ answered: false, decision: { reason: "no_answer", by: "service" } });
  });

  test("whose answer crosses our cancel counts as answered and is hung up", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "hangup.requested" },
      { type: "answered" },
      ended("us"),
      done,
    );
    expect(types(effects).filter((type) => type === "hang_up")).toHaveLength(2);
    expect(decisionOf(effects)).toMatchObject({
      answered: true,
      decision: { reason: "api_hangup", by: "api", isOrderly: true },
    });
  });

  test("whose carrier never confirms the hang-up still ends", () => {
    const { state, effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "answered" },
      { type: "hangup.requested" },
      { type: "close_time.over" },
    );
    expect(state.phase).toBe("over");
    expect(decisionOf(effects)).toMatchObject({ decision: { reason: "api_hangup" }, leg: null });
  });

  test("that is canceled before its send time is never dialed", () => {
    const { effects } = play({ type: "hangup.requested" }, { type: "send_time.reached" });
    expect(types(effects)).toEqual(["commit_end"]);
  });

  test("of a stopping worker goes back to the queue while nothing was dialed", () => {
    expect(types(play({ type: "worker.stopping" }).effects)).toEqual(["requeue"]);
  });

  test("that lost its lease writes nothing more and releases the leg", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "answered" },
      { type: "lease.lost" },
      ended("callee"),
    );
    expect(types(effects).slice(-1)).toEqual(["abandon"]);
  });

  test("whose network is lost while talking is failed, not completed", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "answered" },
      ended("network", "lost"),
      done,
    );
    expect(decisionOf(effects)).toMatchObject({
      answered: true,
      decision: { reason: "carrier_unavailable", isOrderly: false },
    });
  });

  test("whose callee's audio stops is failed as media_timeout", () => {
    const { effects } = play(...answered, ended("network", "media_timeout"), done);
    expect(decisionOf(effects)).toMatchObject({
      answered: true,
      decision: { reason: "media_timeout", by: "service", isOrderly: false },
    });
  });

  test("that a blocking service refuses fails as blocked", () => {
    const { effects } = play(...sent, ended("callee", "blocked"));
    expect(decisionOf(effects)).toMatchObject({ answered: false, decision: { reason: "blocked", by: "callee" } });
  });

  test("that transferred the callee is completed as transferred, however the leg ends then", () => {
    const progress = { type: "transfer_progressed", how: "refer", code: 200, reason: "OK" } as const;
    const connected = play(...answered, { ...progress, state: "completed" }, ended("us"), done);
    expect(decisionOf(connected.effects)).toMatchObject({
      decision: { reason: "transferred", by: "agent", isOrderly: true },
    });
    const failed = play(...answered, { ...progress, state: "failed" }, ended("callee"), done);
    expect(decisionOf(failed.effects)).toMatchObject({ decision: { reason: "callee_hangup" } });
    expect(notesOf(failed.effects)).toEqual([
      { type: "commit_note", event: "call.transfer", data: { how: "refer", state: "failed", code: 200, reason: "OK" } },
    ]);
  });

  test("shows on the timeline that the callee pressed a key, and never which one", () => {
    const { effects } = play(...answered, { type: "dtmf", key: "7", durationMs: 120 });
    expect(notesOf(effects)).toEqual([{ type: "commit_note", event: "call.key_pressed", data: { durationMs: 120 } }]);
    expect(JSON.stringify(effects)).not.toContain("7");
  });

  test("shows early audio on the timeline, and audio that stops and returns", () => {
    const { effects } = play(
      ...sent,
      { type: "early_media" },
      { type: "answered" },
      { type: "audio_missing" },
      { type: "audio_returned" },
    );
    expect(notesOf(effects).map(({ event }) => event)).toEqual([
      "call.early_media",
      "call.audio_missing",
      "call.audio_returned",
    ]);
  });

  test("that finds every trunk full waits for one, and eventually returns to the queue", () => {
    const tries = Array.from({ length: 8 }, (): RunEvent[] => [{ type: "send_time.reached" }, { type: "trunks.full" }]);
    const { effects, state } = play(...tries.flat());
    expect(state.phase).toBe("over");
    expect(types(effects)).toEqual([...Array(7).fill(["dial", "wait_for_trunk"]).flat(), "dial", "requeue"]);
  });

  test("that waits for a trunk can be canceled immediately", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "trunks.full" },
      { type: "hangup.requested" },
      { type: "send_time.reached" },
    );
    expect(types(effects)).toEqual(["dial", "wait_for_trunk", "commit_end"]);
  });

  test("that is canceled while it is being placed ends as soon as it is known that nothing was sent", () => {
    const { state, effects } = play(
      { type: "send_time.reached" },
      { type: "hangup.requested" },
      { type: "dial.failed" },
    );
    expect(state.phase).toBe("over");
    expect(decisionOf(effects)).toMatchObject({ decision: { reason: "canceled", by: "api" } });
  });

  test("that is canceled between two trunks ends as canceled by the API", () => {
    const { effects } = play(...sent, { type: "write_ahead.refused" }, ended("us", "canceled"));
    expect(decisionOf(effects)).toMatchObject({ answered: false, decision: { reason: "canceled", by: "api" } });
  });

  const anyEvent = fc.constantFrom<RunEvent>(
    { type: "send_time.reached" },
    { type: "dial.written" },
    { type: "trunks.full" },
    { type: "early_media" },
    { type: "dtmf", key: "1", durationMs: 100 },
    { type: "audio_missing" },
    { type: "transfer_progressed", how: "bridge", state: "completed", code: null, reason: "" },
    { type: "dial.sent" },
    { type: "dial.failed" },
    { type: "gate.refused", reason: "suppressed" },
    { type: "write_ahead.refused" },
    { type: "ringing" },
    { type: "answered" },
    ended("callee"),
    ended("network", "lost"),
    { type: "ring_time.over" },
    { type: "talk_time.over" },
    { type: "close_time.over" },
    { type: "hangup.requested" },
    { type: "credit.ended", reason: "insufficient_credit" },
    { type: "worker.stopping" },
    { type: "lease.lost" },
    { type: "engine.unavailable" },
    { type: "conversation.over", reason: "agent_hangup" },
    { type: "conversation.over", reason: "engine_error" },
    { type: "conversation.over", reason: "transferred" },
    { type: "conversation.finished" },
    { type: "talk_time.nearly_over" },
    { type: "credit.nearly_ended", reason: "spend_limit" },
    { type: "farewell_time.over" },
    { type: "settle_time.over" },
  );

  test("has at most one end, and is never placed or queued again once it was recorded, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        let state: RunState = { phase: "waiting", tries: 0 };
        let ends = 0;
        let isWritten = false;
        for (const event of events) {
          const [next, effects] = stepRun(state, event);
          for (const { type } of effects) {
            if (type === "dial" || type === "requeue") expect(isWritten).toBe(false);
            if (type === "commit_end" || type === "requeue" || type === "abandon") ends += 1;
          }
          isWritten ||= state.phase === "placing" && event.type === "dial.written";
          state = next;
        }
        expect(ends).toBe(state.phase === "over" ? 1 : 0);
      }),
      { numRuns: 2000 },
    );
  });
});
