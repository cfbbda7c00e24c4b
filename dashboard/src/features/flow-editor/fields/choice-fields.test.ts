import { expect, test } from "vitest";
import { askedModels } from "./choice-fields.tsx";

const NAMES = ["openai/quick", "anthropic/wise", "google/light"];

test("choosing a model shows which one answers when it cannot", () => {
  expect(askedModels(NAMES, undefined)).toMatch(/use openai\/quick\. .*: anthropic\/wise, then google\/light\.$/);
  expect(askedModels(NAMES, "google/light")).toMatch(/in time: openai\/quick, then anthropic\/wise\.$/);
  expect(askedModels(["openai/quick"], "openai/quick")).toMatch(/the only one/);
});

test("for a model that is not set up the one that calls ask instead is shown", () => {
  expect(askedModels(NAMES, "openai/gone")).toBe("Calls use openai/quick instead.");
});
