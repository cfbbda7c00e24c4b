import { expect, test } from "vitest";
import { askedModels } from "./choice-fields.tsx";

const NAMES = ["openai/quick", "anthropic/wise", "google/light"];

test("whoever chooses a model is told who answers when that one cannot", () => {
  expect(askedModels(NAMES, undefined)).toMatch(/ask openai\/quick\. .*: anthropic\/wise, then google\/light\.$/);
  expect(askedModels(NAMES, "google/light")).toMatch(/in time: openai\/quick, then anthropic\/wise\.$/);
  expect(askedModels(["openai/quick"], "openai/quick")).toMatch(/the only one/);
});

test("of a model that is not set up it is said whom calls ask in its place", () => {
  expect(askedModels(NAMES, "openai/gone")).toBe("Calls ask openai/quick in its place.");
});
