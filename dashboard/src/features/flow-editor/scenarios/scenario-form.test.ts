import { EMPTY_FLOW } from "@parley/contract/flow";
import { NewScenario, ScenarioExpectation } from "@parley/contract/scenarios";
import { expect, test } from "vitest";
import {
  EXPECTATION_KINDS,
  expectationOfType,
  kindOfStep,
  kindsAt,
  readValue,
  STEP_KINDS,
  startScenario,
  stepOfKind,
  whatIsMissing,
} from "./scenario-form.ts";

test("every kind of step can be chosen, and is the kind it was chosen as", () => {
  for (const { kind } of STEP_KINDS) expect(kindOfStep(stepOfKind(kind))).toBe(kind);
  expect(stepOfKind("interrupt", { say: "Wait" })).toEqual({ interruptAfterMs: 1000, say: "Wait" });
});

test("a machine answers at the beginning only, and nothing is done after hanging up", () => {
  expect(kindsAt(0, 2)).toContain("machine");
  expect(kindsAt(1, 2)).not.toContain("machine");
  expect(kindsAt(0, 2)).not.toContain("hangUp");
  expect(kindsAt(1, 2)).toContain("hangUp");
});

test("every expectation of the contract can be chosen, even for an empty flow", () => {
  expect(EXPECTATION_KINDS.map(({ type }) => type)).toEqual(
    ScenarioExpectation.options.map((option) => [...option.shape.type.values][0]),
  );
  for (const { type } of EXPECTATION_KINDS) expect(expectationOfType(type, EMPTY_FLOW).type).toBe(type);
});

test("a scenario says what it lacks until it can be saved", () => {
  const begun = startScenario(null, { first_name: "Ada", day: "" });
  expect(begun.variables).toEqual({ first_name: "Ada" });
  expect(whatIsMissing(begun)).toBe("Enter a name.");
  expect(whatIsMissing({ ...begun, name: "Yes" })).toBe("Enter what the callee says.");
  const finished = { ...begun, name: "Yes", steps: [{ say: "yes" }] };
  expect(whatIsMissing(finished)).toBeNull();
  expect(NewScenario.safeParse(finished).success).toBe(true);
});

test("an expected value is parsed by its form", () => {
  expect(readValue("12")).toBe(12);
  expect(readValue("true")).toBe(true);
  expect(readValue("0042")).toBe("0042");
  expect(readValue("another day")).toBe("another day");
  expect(readValue(" ")).toBeUndefined();
});
