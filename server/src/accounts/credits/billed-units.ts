import type { BilledUnit } from "@parley/contract/engines";
import type { Vendor } from "@parley/providers/registry";

/** What a vendor can charge a call for, by the parts of engines that it offers and that calls are measured by. */
export function billedUnitsOf({ name, recognition, languageModel, synthesis, speech }: Vendor): BilledUnit[] {
  return [
    ...(recognition ? [{ provider: name, unit: "recognition_minute" as const }] : []),
    ...(languageModel ? tokensOf(name) : []),
    ...(synthesis ? [{ provider: name, unit: "synthesis_1000_characters" as const }] : []),
    // Models that hear and speak have prices of their own, by token or by minute.
    ...(speech ? [...tokensOf(speech.name), { provider: speech.name, unit: "recognition_minute" as const }] : []),
  ];
}

function tokensOf(provider: string): BilledUnit[] {
  return [
    { provider, unit: "input_1m_tokens" },
    { provider, unit: "output_1m_tokens" },
  ];
}
