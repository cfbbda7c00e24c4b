import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RunEffect, type RunEvent, type RunState, stepRun } from "./run-machine.ts";

const ended = (
  by: "callee" | "us" | "network",
  cause: "hangup" | "busy" | "canceled" | "lost" = "hangup",
): RunEvent => ({
  type: "ended",
  cause,
  code: null,
  reason: "",
  by,
});

function play(...events: RunEvent[]): { state: RunState; effects: RunEffect[] } {
  let state: RunState = { phase: "waiting" };
  const effects: RunEffect[] = [];
  for (const event of events) {
    const [next, more] = stepRun(state, event);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
}

const types = (effects: readonly RunEffect[]) => effects.map((effect) => effect.type);
const verdictOf = (effects: readonly RunEffect[]) => effects.find((effect) => effect.type === "commit_end");

describe("a run", () => {
  test("that is answered and hung up by the callee is completed by the callee", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "ringing" },
      { type: "answered" },
      ended("callee"),
    );
    expect(types(effects)).toEqual([
      "dial",
      "start_timer",
      "commit_ringing",
      "commit_talking",
      "start_timer",
      "commit_end",
    ]);
    expect(verdictOf(effects)).toMatchObject({
      answered: true,
      verdict: { reason: "callee_hangup", by: "callee", isOrderly: true },
    });
  });

  test("that finds the line busy fails as busy", () => {
    const { effects } = play({ type: "send_time.reached" }, { type: "dial.sent" }, ended("callee", "busy"));
    expect(verdictOf(effects)).toMatchObject({ answered: false, verdict: { reason: "busy", isOrderly: false } });
  });

  test("that nobody answers is canceled at the network and ends as no_answer", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "ringing" },
      { type: "ring_time.over" },
      ended("us", "canceled"),
    );
    expect(types(effects)).toContain("hang_up");
    expect(verdictOf(effects)).toMatchObject({ answered: false, verdict: { reason: "no_answer", by: "service" } });
  });

  test("whose answer crosses our cancel counts as answered and is hung up", () => {
    const { effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "hangup.requested" },
      { type: "answered" },
      ended("us"),
    );
    expect(types(effects).filter((type) => type === "hang_up")).toHaveLength(2);
    expect(verdictOf(effects)).toMatchObject({
      answered: true,
      verdict: { reason: "api_hangup", by: "api", isOrderly: true },
    });
  });

  test("whose carrier never confirms the hang-up ends all the same", () => {
    const { state, effects } = play(
      { type: "send_time.reached" },
      { type: "dial.sent" },
      { type: "answered" },
      { type: "hangup.requested" },
      { type: "close_time.over" },
    );
    expect(state.phase).toBe("over");
    expect(verdictOf(effects)).toMatchObject({ verdict: { reason: "api_hangup" }, leg: null });
  });

  test("that is canceled before its send time is never dialed", () => {
    const { effects } = play({ type: "hangup.requested" }, { type: "send_time.reached" });
    expect(types(effects)).toEqual(["commit_end"]);
  });

  test("of a stopping worker goes back to the queue while nothing was dialed", () => {
    expect(types(play({ type: "worker.stopping" }).effects)).toEqual(["requeue"]);
  });

  test("that lost its lease writes nothing more and lets go of the leg", () => {
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
    );
    expect(verdictOf(effects)).toMatchObject({
      answered: true,
      verdict: { reason: "carrier_unavailable", isOrderly: false },
    });
  });

  const anyEvent = fc.constantFrom<RunEvent>(
    { type: "send_time.reached" },
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
  );

  test("dials at most once and comes to at most one end, whatever happens in whatever order", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        const { effects, state } = play(...events);
        const count = (type: RunEffect["type"]) => effects.filter((effect) => effect.type === type).length;
        expect(count("dial")).toBeLessThanOrEqual(1);
        expect(count("commit_end") + count("requeue") + count("abandon")).toBe(state.phase === "over" ? 1 : 0);
        if (count("requeue") > 0) expect(count("dial")).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });
});
