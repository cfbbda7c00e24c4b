import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { expect, test } from "vitest";
import { rememberNames } from "./open-language-model.ts";

const { signal } = new AbortController();

test("a name is looked up once per period", async () => {
  const clock = createVirtualClock();
  const asked: string[] = [];
  const resolve = rememberNames(async (name) => [`${name} ${asked.push(name)}`], clock, 1000);
  expect([await resolve("a", signal), await resolve("b", signal), await resolve("a", signal)]).toEqual([
    ["a 1"],
    ["b 2"],
    ["a 1"],
  ]);
  await clock.advance(1000);
  expect(await resolve("a", signal)).toEqual(["a 3"]);
});

test("a name that could not be looked up is looked up again", async () => {
  const answers = [Promise.reject(new Error("no answer")), Promise.resolve(["10.0.0.1"])];
  const resolve = rememberNames(async () => (await answers.shift()) ?? [], createVirtualClock(), 1000);
  await expect(resolve("a", signal)).rejects.toThrow("no answer");
  expect(await resolve("a", signal)).toEqual(["10.0.0.1"]);
});
