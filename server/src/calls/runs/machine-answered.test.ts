import type { ConversationEnd } from "@parley/voice/ports/conversation-journal";
import { describe, expect, test } from "vitest";
import { type RunEffect, type RunEvent, type RunState, stepRun } from "./machine.ts";

const TALKING: readonly RunEvent[] = [
  { type: "send_time.reached" },
  { type: "dial.written" },
  { type: "dial.sent" },
  { type: "answered" },
];
const ended = (by: "callee" | "us"): RunEvent => ({ type: "ended", cause: "hangup", code: null, reason: "", by });
const conversationOver = (reason: ConversationEnd): RunEvent => ({ type: "conversation.over", reason });
const finished: RunEvent = { type: "conversation.finished" };

function play(...events: readonly RunEvent[]) {
  let state: RunState = { phase: "waiting", tries: 0 };
  const effects: RunEffect[] = [];
  for (const event of events) {
    const [next, more] = stepRun(state, event);
    state = next;
    effects.push(...more);
  }
  const end = effects.find((effect) => effect.type === "commit_end");
  return { phase: state.phase, types: effects.map(({ type }) => type), effects, decision: end?.decision ?? null };
}

describe("a call whose agent has nothing more to say", () => {
  test.each([
    ["agent_hangup", { reason: "agent_hangup", by: "agent", isOrderly: true }],
    ["voicemail_left", { reason: "voicemail_left", by: "agent", isOrderly: true }],
    ["voicemail_hangup", { reason: "voicemail_hangup", by: "agent", isOrderly: true }],
    ["silence", { reason: "silence", by: "agent", isOrderly: true }],
    ["fax", { reason: "fax", by: "agent", isOrderly: true }],
    ["no_audio", { reason: "no_audio", by: "service", isOrderly: false }],
    ["unreachable", { reason: "unreachable", by: "service", isOrderly: false }],
    ["engine_error", { reason: "engine_error", by: "service", isOrderly: false }],
  ] as const)("because of %s is hung up and ends as %j", (reason, decision) => {
    const { types, decision: found } = play(...TALKING, conversationOver(reason), ended("us"), finished);
    expect(types).toContain("hang_up");
    expect(found).toEqual(decision);
  });

  test("because the callee was transferred stays up until one party hangs up", () => {
    const { phase, types } = play(...TALKING, conversationOver("transferred"), finished);
    expect(phase).toBe("talking");
    expect(types).not.toContain("hang_up");
    const over = play(...TALKING, conversationOver("transferred"), finished, ended("callee"), finished);
    expect(over.decision).toMatchObject({ reason: "transferred", by: "callee" });
  });

  test("is not hung up twice when it reports its end and also requests it", () => {
    const { types } = play(...TALKING, conversationOver("agent_hangup"), conversationOver("agent_hangup"));
    expect(types.filter((type) => type === "hang_up")).toHaveLength(1);
  });
});

describe("a call whose callee hangs up", () => {
  test("ends when the last of the transcript is committed", () => {
    const hungUp = [...TALKING, ended("callee")];
    expect(play(...hungUp)).toMatchObject({ phase: "settling", decision: null });
    expect(play(...hungUp, conversationOver("callee_hangup"))).toMatchObject({ phase: "settling", decision: null });
    expect(play(...hungUp, finished).decision).toEqual({ reason: "callee_hangup", by: "callee", isOrderly: true });
  });

  test("ends even if the agent never reports that it is done", () => {
    const { phase, decision } = play(...TALKING, ended("callee"), { type: "settle_time.over" });
    expect(phase).toBe("over");
    expect(decision).toMatchObject({ reason: "callee_hangup" });
  });

  test("after a message was left counts as that, and after a goodbye as the callee's own doing", () => {
    const after = (reason: ConversationEnd) =>
      play(...TALKING, ended("callee"), conversationOver(reason), finished).decision;
    expect(after("voicemail_left")).toMatchObject({ reason: "voicemail_left", by: "callee", isOrderly: true });
    expect(after("agent_hangup")).toMatchObject({ reason: "callee_hangup", by: "callee" });
  });
});

describe("a call that must end", () => {
  test.each([
    [{ type: "talk_time.nearly_over" }, "max_duration"],
    [{ type: "credit.nearly_ended", reason: "insufficient_credit" }, "insufficient_credit"],
    [{ type: "worker.stopping" }, "agent_hangup"],
  ] as const)("because of %j says goodbye first, and ends for that reason", (event, reason) => {
    const { types, phase } = play(...TALKING, event);
    expect(types).toContain("say_farewell");
    expect(phase).toBe("talking");
    const { decision } = play(...TALKING, event, conversationOver("agent_hangup"), ended("us"), finished);
    expect(decision).toEqual({ reason, by: "service", isOrderly: true });
  });

  test("is cut at its limit, however long the goodbye takes", () => {
    const { types, decision } = play(
      ...TALKING,
      { type: "talk_time.nearly_over" },
      { type: "talk_time.over" },
      ended("us"),
      finished,
    );
    expect(types).toContain("hang_up");
    expect(decision).toMatchObject({ reason: "max_duration" });
  });

  test("because the worker stops waits for the goodbye, but not indefinitely", () => {
    const { effects, types } = play(...TALKING, { type: "worker.stopping" }, { type: "farewell_time.over" });
    expect(effects).toContainEqual({ type: "start_timer", timer: "farewell" });
    expect(types).toContain("hang_up");
  });

  test("says goodbye once, whatever else ends meanwhile", () => {
    const { types } = play(
      ...TALKING,
      { type: "credit.nearly_ended", reason: "spend_limit" },
      { type: "talk_time.nearly_over" },
      { type: "worker.stopping" },
    );
    expect(types.filter((type) => type === "say_farewell")).toHaveLength(1);
  });

  test("that breaks during the goodbye ends as broken", () => {
    const { decision } = play(
      ...TALKING,
      { type: "talk_time.nearly_over" },
      conversationOver("engine_error"),
      ended("us"),
      finished,
    );
    expect(decision).toMatchObject({ reason: "engine_error", isOrderly: false });
  });
});

describe("an agent that is lost before the answer", () => {
  test("stops the ringing and fails the call", () => {
    const { types, decision } = play(...TALKING.slice(0, 3), conversationOver("engine_error"), {
      ...ended("us"),
      cause: "canceled",
    } as RunEvent);
    expect(types).toContain("hang_up");
    expect(decision).toEqual({ reason: "engine_error", by: "service", isOrderly: false });
  });

  test("and a callee who picks up at that moment is hung up on, which does not count as success", () => {
    const { decision } = play(
      ...TALKING.slice(0, 3),
      conversationOver("engine_error"),
      { type: "answered" },
      ended("us"),
      finished,
    );
    expect(decision).toMatchObject({ reason: "engine_error", isOrderly: false });
  });

  test("or that is not available at all rings no phone", () => {
    const { types, decision } = play({ type: "send_time.reached" }, { type: "engine.unavailable" });
    expect(types).toEqual(["dial", "commit_end"]);
    expect(decision).toEqual({ reason: "engine_error", by: "service", isOrderly: false });
  });
});
