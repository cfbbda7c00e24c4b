import { describe, expect, it } from "vitest";
import type { LegEndCause } from "../../carrier.ts";
import { AnswerRates } from "./answer-rates.ts";

const HOUR_MS = 3_600_000;

function outcome(callerId: string | null, answered: boolean, cause: LegEndCause) {
  return { trunkId: "t", callerId, rang: answered, answered, end: { cause, code: null, reason: "" } };
}

describe("answer rates", () => {
  it("are counted for each caller id of a trunk", () => {
    const rates = new AnswerRates();
    rates.note(outcome("+1", true, "hangup"), 0);
    rates.note(outcome("+1", false, "blocked"), 1_000);
    rates.note(outcome("+2", false, "busy"), 2_000);
    rates.note(outcome(null, true, "hangup"), 3_000);
    expect(rates.rates(4_000)).toEqual([
      { trunkId: "t", callerId: "+1", attempts: 2, answered: 1, blocked: 1 },
      { trunkId: "t", callerId: "+2", attempts: 1, answered: 0, blocked: 0 },
      { trunkId: "t", callerId: null, attempts: 1, answered: 1, blocked: 0 },
    ]);
  });

  it("leave out calls that we cancelled and trunks that carried nothing", () => {
    const rates = new AnswerRates();
    for (const cause of ["canceled", "unavailable", "lost"] as const) rates.note(outcome("+1", false, cause), 0);
    expect(rates.rates(0)).toEqual([]);
    rates.note(outcome("+1", true, "lost"), 0);
    expect(rates.rates(0)).toMatchObject([{ attempts: 1, answered: 1 }]);
  });

  it("forget calls more than an hour old", () => {
    const rates = new AnswerRates();
    rates.note(outcome("+1", true, "hangup"), 0);
    rates.note(outcome("+1", false, "no_answer"), HOUR_MS - 1);
    expect(rates.rates(HOUR_MS - 1)).toMatchObject([{ attempts: 2, answered: 1 }]);
    expect(rates.rates(HOUR_MS + 1)).toMatchObject([{ attempts: 1, answered: 0 }]);
    expect(rates.rates(3 * HOUR_MS)).toEqual([]);
  });

  it("remember a bounded number of caller ids, those that were used last", () => {
    const rates = new AnswerRates();
    for (let number = 0; number < 3_000; number += 1) rates.note(outcome(`+${number}`, true, "hangup"), 0);
    const kept = rates.rates(0);
    expect(kept).toHaveLength(2_000);
    expect(kept.at(-1)?.callerId).toBe("+2999");
  });
});
