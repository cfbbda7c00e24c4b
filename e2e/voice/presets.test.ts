import { afterAll, beforeAll, expect, test } from "vitest";
import { type HeldPresets, holdPresets, problemOf } from "./hold-presets.ts";
import { SPEECH_VENDORS } from "./vendor-stand-ins.ts";

let presets: HeldPresets;

beforeAll(async () => {
  // Each vendor once for each of its parts. The other combinations are in presets.long.test.ts.
  presets = await holdPresets((all) => {
    const recognizers = [...new Set(all.map(({ recognition }) => recognition))];
    const voices = [...new Set(all.map(({ synthesis }) => synthesis))];
    return Array.from({ length: Math.max(recognizers.length, voices.length) }, (_, index) => {
      const recognition = recognizers[index % recognizers.length];
      const found = voices.map((__, shift) => voices[(index + shift) % voices.length]);
      return found.flatMap(
        (synthesis) => all.find((one) => one.recognition === recognition && one.synthesis === synthesis) ?? [],
      )[0];
    }).filter((preset) => preset !== undefined);
  });
}, 600_000);
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

test("simulated callees get what they want through each of them", () => {
  expect(presets.calls.flatMap((call) => problemOf(call) ?? [])).toEqual([]);
});
