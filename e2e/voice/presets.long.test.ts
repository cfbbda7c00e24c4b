import { afterAll, beforeAll, expect, test } from "vitest";
import { type HeldPresets, holdPresets, problemOf } from "./hold-presets.ts";
import { SPEECH_VENDORS } from "./vendor-stand-ins.ts";

let presets: HeldPresets;

beforeAll(async () => {
  presets = await holdPresets();
}, 1_800_000);
afterAll(() => presets?.close());

test("every vendor with speech is in a preset that a call was held through", () => {
  const used = presets.calls.flatMap(({ recognition, synthesis }) => [
    `recognition ${recognition}`,
    `synthesis ${synthesis}`,
  ]);
  for (const { name, recognition, synthesis } of SPEECH_VENDORS) {
    if (recognition) expect(used).toContain(`recognition ${name}`);
    if (synthesis) expect(used).toContain(`synthesis ${name}`);
  }
});

test("a call was held with every simulated callee from 0001 to 0019, without the call screener", () => {
  const called = new Set(presets.calls.map(({ callee }) => callee.lastDigits));
  const all = Array.from({ length: 19 }, (_, index) => String(index + 1).padStart(4, "0"));
  expect(all.filter((lastDigits) => !called.has(lastDigits))).toEqual(["0018"]);
});

test("simulated callees get what they want through every preset that is listed with all vendors", () => {
  expect(presets.calls.flatMap((call) => problemOf(call) ?? [])).toEqual([]);
});
