import { describe, expect, test } from "vitest";
import { decideAlert, type Judgement, judgeAnswerRate, judgeCredit, judgeIncidents } from "./judge-alert.ts";

describe("an answer rate", () => {
  const rule = { belowPercent: 50, hours: 2, callsMin: 10 };
  test.each([
    [{ calls: 100, answered: 49 }, "beyond"],
    [{ calls: 100, answered: 50 }, "between"],
    [{ calls: 100, answered: 54 }, "between"],
    [{ calls: 100, answered: 55 }, "recovered"],
    [{ calls: 9, answered: 0 }, "between"],
    [{ calls: 10, answered: 0 }, "beyond"],
    [{ calls: 0, answered: 0 }, "recovered"],
  ] as const)("of %o is %s", (counted, standing) => {
    expect(judgeAnswerRate(rule, counted).standing).toBe(standing);
  });

  test("can recover, however high the threshold", () => {
    expect(judgeAnswerRate({ ...rule, belowPercent: 100 }, { calls: 10, answered: 10 }).standing).toBe("recovered");
  });

  test("says what was measured", () => {
    expect(judgeAnswerRate(rule, { calls: 12, answered: 4 }).cause).toEqual({
      ...{ type: "answer_rate", percent: 33.3, calls: 12, hours: 2, belowPercent: 50 },
    });
  });
});

test.each([
  [1, 1, "beyond"],
  [1, 0, "recovered"],
  [10, 10, "beyond"],
  [10, 9, "between"],
  [10, 6, "between"],
  [10, 5, "recovered"],
] as const)("with a threshold of %d, %d incidents are %s", (atLeast, incidents, standing) => {
  expect(judgeIncidents({ atLeast, hours: 1 }, incidents).standing).toBe(standing);
});

test.each([
  [999_999n, "beyond"],
  [1_000_000n, "between"],
  [1_099_999n, "between"],
  [1_100_000n, "recovered"],
] as const)("a balance of %d millionths of a dollar is %s where a dollar is low", (balanceMicros, standing) => {
  expect(judgeCredit({ balanceMicros, lowMicros: 1_000_000n }).standing).toBe(standing);
});

describe("an alert", () => {
  const of = (standing: Judgement["standing"]): Judgement => ({
    standing,
    cause: { type: "incidents", incidents: 1, hours: 1, atLeast: 1 },
  });
  const NOW = 1_000 * 60_000;
  const raised = (minutesAgo: number, isOpen: boolean) => ({ raisedAtMs: NOW - minutesAgo * 60_000, isOpen });
  test.each([
    ["is raised when the figure is beyond its threshold", of("beyond"), null, "raise"],
    ["is not raised before", of("between"), null, "nothing"],
    ["is not raised twice", of("beyond"), raised(1_000, true), "nothing"],
    ["lasts while the figure is close to its threshold", of("between"), raised(1_000, true), "nothing"],
    ["is resolved when the figure has recovered", of("recovered"), raised(1, true), "resolve"],
    ["is resolved when its rule is removed", null, raised(1, true), "resolve"],
    ["is not raised again in the quiet period", of("beyond"), raised(59, false), "nothing"],
    ["is raised again after it", of("beyond"), raised(60, false), "raise"],
    ["is not raised without a rule", null, raised(1_000, false), "nothing"],
  ] as const)("%s", (_, judgement, latest, decision) => {
    expect(decideAlert(judgement, latest, 60, NOW)).toBe(decision);
  });
});
