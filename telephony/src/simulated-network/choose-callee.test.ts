import { describe, expect, it } from "vitest";
import { CALLEE_BY_LAST_DIGITS, FRIENDLY_HUMAN, TWO_RINGS_MS } from "./callee-behaviours.ts";
import { chooseCallee } from "./simulated-network.ts";

const noVariation = () => 0.5;

describe("choosing a simulated callee", () => {
  it("goes by the last four digits, in any country and however the number is written", () => {
    expect(chooseCallee("+49 30 555-0002", undefined, noVariation).name).toBe("busy");
    expect(chooseCallee("+15550100002", undefined, noVariation).name).toBe("busy");
  });

  it("assigns every number that is not in the table to the friendly human", () => {
    expect(chooseCallee("+15550199999", undefined, noVariation)).toEqual(FRIENDLY_HUMAN);
  });

  it("knows every number of the table", () => {
    const expected = Array.from({ length: 28 }, (_, index) => String(index + 1).padStart(4, "0"));
    expect([...CALLEE_BY_LAST_DIGITS.keys()]).toEqual(expected);
  });

  it("lets a plan make any number answer", () => {
    const callee = chooseCallee("+15550100002", { script: [{ hangUp: true }] }, noVariation);
    expect(callee).toMatchObject({ does: "answers", answerAfterMs: TWO_RINGS_MS, script: [{ hangUp: true }] });
  });

  it("takes what a plan leaves out from the number", () => {
    const callee = chooseCallee("+15550100009", { answerAfterMs: 10 }, noVariation);
    expect(callee).toMatchObject({ does: "answers", answerAfterMs: 10, script: [] });
  });

  it("keeps the behaviour of the number when the plan is empty", () => {
    expect(chooseCallee("+15550100002", {}, noVariation).name).toBe("busy");
  });

  it("varies how long people take, but not planned times", () => {
    expect(chooseCallee("+15550100001", undefined, () => 1)).toMatchObject({ answerAfterMs: TWO_RINGS_MS * 1.1 });
    expect(chooseCallee("+15550100001", { answerAfterMs: 100 }, () => 1)).toMatchObject({ answerAfterMs: 100 });
  });
});
