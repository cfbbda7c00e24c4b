import { describe, expect, it } from "vitest";
import {
  admitCall,
  type CircuitState,
  CLOSED_CIRCUIT,
  circuitAt,
  judgeTrunk,
  recordOutcome,
} from "./circuit-breaker.ts";

function after(outcomes: readonly ("fine" | "trouble" | "unclear")[], stepMs = 1_000): CircuitState {
  return outcomes.reduce<CircuitState>(
    (state, outcome, index) => recordOutcome(state, outcome, index * stepMs),
    CLOSED_CIRCUIT,
  );
}

describe("a circuit", () => {
  it("opens with the third trouble in a row", () => {
    expect(after(["trouble", "trouble"]).phase).toBe("closed");
    expect(after(["trouble", "trouble", "trouble"])).toEqual({ phase: "open", untilMs: 32_000 });
  });

  it("stays closed while most calls go well", () => {
    expect(after(["fine", "fine", "trouble", "fine", "trouble", "fine", "trouble"]).phase).toBe("closed");
    expect(after(["fine", "trouble", "trouble", "fine", "trouble"]).phase).toBe("open");
  });

  it("forgets troubles that are long past", () => {
    expect(after(["trouble", "trouble", "trouble"], 100_000).phase).toBe("closed");
  });

  it("admits no call while it is open, and one afterwards", () => {
    const open = after(["trouble", "trouble", "trouble"]);
    expect(admitCall(open, 31_999)).toBeNull();
    expect(circuitAt(open, 32_000).phase).toBe("half_open");
    const trying = admitCall(open, 32_000);
    expect(trying).toEqual({ phase: "half_open", triedAtMs: 32_000 });
    expect(trying && admitCall(trying, 32_001)).toBeNull();
    expect(trying && admitCall(trying, 152_000)).toEqual({ phase: "half_open", triedAtMs: 152_000 });
  });

  it("closes after a good trial, opens again after a bad one, and offers another after an inconclusive one", () => {
    const trying: CircuitState = { phase: "half_open", triedAtMs: 0 };
    expect(recordOutcome(trying, "fine", 0)).toEqual(CLOSED_CIRCUIT);
    expect(recordOutcome(trying, "trouble", 0)).toEqual({ phase: "open", untilMs: 30_000 });
    expect(recordOutcome(trying, "unclear", 0)).toEqual({ phase: "half_open", triedAtMs: null });
  });

  it("is not changed while it is open by calls that began before", () => {
    const open = after(["trouble", "trouble", "trouble"]);
    for (const outcome of ["fine", "trouble", "unclear"] as const)
      expect(recordOutcome(open, outcome, 5_000)).toBe(open);
  });

  it("remembers a bounded number of calls", () => {
    const state = after(Array<"fine">(1_000).fill("fine"), 1);
    expect(state.phase === "closed" && state.marks.length).toBe(50);
  });
});

describe("failures that count against a trunk", () => {
  it("is a 503 and silence, and not what a callee does", () => {
    const refused = (status: number) =>
      judgeTrunk({ kind: "refused", status, reason: "", reasonHeader: null, hasRung: false });
    expect(refused(503)).toBe("trouble");
    for (const status of [404, 408, 480, 486, 500, 603]) expect(refused(status)).toBe("fine");
    expect(judgeTrunk({ kind: "no_response", why: "timeout", reason: "" })).toBe("trouble");
    expect(judgeTrunk({ kind: "no_response", why: "transport", reason: "" })).toBe("trouble");
    expect(judgeTrunk({ kind: "canceled" })).toBe("unclear");
    expect(judgeTrunk({ kind: "rang_out", hasRung: false })).toBe("fine");
  });
});
