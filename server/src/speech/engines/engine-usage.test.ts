import { expect, test } from "vitest";
import { EngineUsage, priceParts, type UnitPrice } from "./engine-usage.ts";
import type { PartUse } from "./part-meter.ts";

const use = (more: Partial<PartUse>): PartUse => ({
  part: "synthesis",
  provider: "alpha",
  model: "m",
  firstResultMs: null,
  hasFailed: false,
  audioMs: 0,
  characters: 0,
  inputTokens: 0,
  outputTokens: 0,
  ...more,
});

function priced(uses: readonly PartUse[], rates: readonly UnitPrice[] = []) {
  const usage = new EngineUsage();
  for (const one of uses) usage.note(one);
  return priceParts(usage.summary(), rates);
}

test("a call lists each vendor that served a part, with its latency and amounts", () => {
  const uses = [120, 80, 400].map((firstResultMs) => use({ firstResultMs, characters: 40 }));
  const fallback = use({ provider: "local", model: null, characters: 40, firstResultMs: 20 });
  const [first, second] = priced([...uses, use({ hasFailed: true, characters: 40 }), fallback]);
  expect(first).toMatchObject({ provider: "alpha", requests: 4, failures: 1, characters: 160, cost: null });
  expect(first).toMatchObject({ firstResultMsP50: 120, firstResultMsP95: 400 });
  expect(second).toMatchObject({ provider: "local", requests: 1, failures: 0, cost: null });
});

test("audio that was sent without asking for a result is an amount and no request", () => {
  const [part] = priced([use({ part: "recognition", audioMs: 90_500 })]);
  expect(part).toMatchObject({ requests: 0, audioSeconds: 90.5, firstResultMsP50: null });
});

test("the cost is exact, and unknown where a rate is missing for something that was used", () => {
  const rate = (unit: UnitPrice["unit"], price_micros: bigint): UnitPrice => ({
    provider: "alpha",
    unit,
    price_micros,
  });
  const cost = (one: Partial<PartUse>, ...rates: UnitPrice[]) => priced([use(one)], rates)[0]?.cost;
  expect(cost({ part: "recognition", audioMs: 61_000 }, rate("recognition_minute", 4_300n))).toBe("0.004372");
  expect(cost({ characters: 1_234 }, rate("synthesis_1000_characters", 50_000n))).toBe("0.0617");
  const tokens = { part: "model", inputTokens: 1_500, outputTokens: 20 } as const;
  expect(cost(tokens, rate("input_1m_tokens", 250_000n))).toBeNull();
  expect(cost(tokens, rate("input_1m_tokens", 250_000n), rate("output_1m_tokens", 2_000_000n))).toBe("0.000415");
  expect(cost({ characters: 10 })).toBeNull();
});
