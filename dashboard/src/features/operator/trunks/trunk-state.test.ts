import { describe, expect, test } from "vitest";
import { trunkState } from "./trunk-state.ts";

const seen = (more: object = {}) => ({
  workerId: "wrk_1",
  isReachable: true,
  isRegistered: null,
  circuit: "closed" as const,
  trouble: null,
  reportedAt: "2026-01-31T09:30:00Z",
  ...more,
});
const of = (health: ReturnType<typeof seen>[], more: object = {}) =>
  trunkState({ isEnabled: true, registersAs: null, health, ...more });

describe("the state of a trunk", () => {
  test("is that of the worst worker, with the newest trouble in words", () => {
    const state = of([seen(), seen({ isReachable: false, trouble: "It answered 403." })]);
    expect(state).toMatchObject({ tone: "danger", word: "Unreachable" });
    expect(state.sentence).toContain("It answered 403.");
    expect(of([seen({ circuit: "half_open" })]).tone).toBe("warning");
    expect(of([seen({ circuit: "open", isReachable: false })]).word).toBe("Paused");
  });

  test("is registered only if it registers and every worker is", () => {
    const registers = { registersAs: "customer17" };
    expect(of([seen({ isRegistered: true })], registers).word).toBe("Registered");
    expect(of([seen({ isRegistered: true }), seen({ isRegistered: false })], registers).word).toBe("Not registered");
    expect(of([seen()]).word).toBe("Reachable");
  });

  test("is unknown while it is unused, and off when it is switched off", () => {
    expect(of([]).word).toBe("Not checked yet");
    expect(of([seen({ isReachable: false })], { isEnabled: false }).word).toBe("Disabled");
  });
});
