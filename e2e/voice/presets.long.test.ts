import { afterAll, beforeAll, expect, test } from "vitest";
import { type HeldPresets, holdPresets, problemOf } from "./hold-presets.ts";

let presets: HeldPresets;

beforeAll(async () => {
  presets = await holdPresets((all) => all);
}, 1_800_000);
afterAll(() => presets?.close());

test("simulated callees get what they want through every preset that is listed with all vendors", () => {
  expect(presets.calls.map(({ engine }) => engine)).toEqual(presets.listed);
  expect(presets.calls.flatMap((call) => problemOf(call) ?? [])).toEqual([]);
});
