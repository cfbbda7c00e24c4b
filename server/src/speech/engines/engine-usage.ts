import type { CallEnginePart, ProviderUnit } from "@parley/contract/engines";
import { formatUsd } from "@parley/contract/money";
import type { PartUse } from "./part-meter.ts";

/** What a call used of one vendor for one part of its engine. */
export interface PartUsage
  extends Omit<CallEnginePart, "cost" | "firstResultMsP50" | "firstResultMsP95" | "audioSeconds"> {
  readonly firstResultsMs: readonly number[];
  readonly audioMs: number;
}

/** Adds up what a call uses of its engine. */
export class EngineUsage {
  readonly #parts = new Map<string, PartUsage>();

  note(use: PartUse): void {
    const { part, provider, model } = use;
    const key = JSON.stringify([part, provider, model]);
    const before = this.#parts.get(key) ?? {
      part,
      provider,
      model,
      requests: 0,
      failures: 0,
      firstResultsMs: [],
      audioMs: 0,
      characters: 0,
      inputTokens: 0,
      outputTokens: 0,
    };
    const isStream = use.part === "recognition" || use.part === "speech";
    const isRequest = use.firstResultMs !== null || use.hasFailed || !isStream;
    this.#parts.set(key, {
      part,
      provider,
      model,
      requests: before.requests + (isRequest ? 1 : 0),
      failures: before.failures + (use.hasFailed ? 1 : 0),
      firstResultsMs:
        use.firstResultMs === null ? before.firstResultsMs : [...before.firstResultsMs, use.firstResultMs],
      audioMs: before.audioMs + use.audioMs,
      characters: before.characters + use.characters,
      inputTokens: before.inputTokens + use.inputTokens,
      outputTokens: before.outputTokens + use.outputTokens,
    });
  }

  summary(): PartUsage[] {
    return [...this.#parts.values()];
  }
}

export interface UnitPrice {
  readonly provider: string;
  readonly unit: ProviderUnit;
  readonly price_micros: bigint;
}

/** How much of the measured amount is one unit. */
const UNITS: Readonly<Record<ProviderUnit, { per: bigint; amount: (usage: PartUsage) => number }>> = {
  recognition_minute: { per: 60_000n, amount: ({ audioMs }) => audioMs },
  synthesis_1000_characters: { per: 1_000n, amount: ({ characters }) => characters },
  input_1m_tokens: { per: 1_000_000n, amount: ({ inputTokens }) => inputTokens },
  output_1m_tokens: { per: 1_000_000n, amount: ({ outputTokens }) => outputTokens },
};

/** The usage of a call as clients see it, with its cost where the rates cover all that was used. */
export function priceParts(usage: readonly PartUsage[], rates: readonly UnitPrice[]): CallEnginePart[] {
  return usage.map((part) => {
    const { firstResultsMs, audioMs, ...rest } = part;
    const sorted = firstResultsMs.toSorted((one, other) => one - other);
    const micros = costOf(part, rates);
    return {
      ...rest,
      firstResultMsP50: percentile(sorted, 0.5),
      firstResultMsP95: percentile(sorted, 0.95),
      audioSeconds: Math.round(audioMs) / 1000,
      cost: micros === null ? null : formatUsd(micros),
    };
  });
}

/** Exact up to the rounding of each unit to a micro-USD. Null if something was used that has no price. */
function costOf(usage: PartUsage, rates: readonly UnitPrice[]): bigint | null {
  let total = 0n;
  let isCovered = false;
  for (const [unit, { per, amount }] of Object.entries(UNITS)) {
    const rate = rates.find((one) => one.provider === usage.provider && one.unit === unit);
    const used = BigInt(Math.round(amount(usage)));
    // Models that hear and speak are charged by token or by minute.
    const isOptional = usage.part === "speech" && unit === "recognition_minute";
    if (used > 0n && rate === undefined && !isOptional) return null;
    if (rate === undefined) continue;
    isCovered = true;
    total += (2n * used * rate.price_micros + per) / (2n * per);
  }
  return isCovered ? total : null;
}

/** The smallest value that this share of the values does not exceed; null when there are none. */
export function percentile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return value === undefined ? null : Math.round(value);
}
