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

test("simulated callees get what they want through every preset that is listed with all vendors", () => {
  expect(presets.calls.flatMap((call) => problemOf(call) ?? [])).toEqual([]);
});
