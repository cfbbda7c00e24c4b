import type { CallEnginePart } from "@parley/contract/engines";
import { expect, test } from "vitest";
import { usageInWords } from "./engine-parts.tsx";

const PART: CallEnginePart = {
  ...{ part: "recognition", provider: "deepgram", model: "nova-3", requests: 4, failures: 0 },
  ...{ firstResultMsP50: 90, firstResultMsP95: 200, audioSeconds: 0, characters: 0, inputTokens: 0, outputTokens: 0 },
  cost: null,
};

test("what a call used of a part is said in its own units, with its failures", () => {
  expect(usageInWords({ ...PART, audioSeconds: 61.25, failures: 1 })).toBe("61.3 s of audio, 1 of 4 failed");
  expect(usageInWords({ ...PART, part: "model", inputTokens: 900, outputTokens: 40 })).toBe("900 + 40 tokens");
  expect(usageInWords(PART)).toBe("4 requests");
});
