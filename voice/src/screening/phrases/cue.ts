import type { Party } from "../evidence.ts";
import { type CompiledPhrase, compilePhrases } from "./phrase-pattern.ts";

/** How much a phrase says: enough by itself, much, or a little. */
export type CueStrength = "strong" | "fair" | "weak";

/** A phrase that speaks for somebody. */
export interface Cue {
  readonly party: Party;
  readonly strength: CueStrength;
  readonly phrase: CompiledPhrase;
}

export function cuesFor(party: Party, phrases: Readonly<Partial<Record<CueStrength, string>>>): readonly Cue[] {
  return (Object.entries(phrases) as [CueStrength, string][]).flatMap(([strength, patterns]) =>
    compilePhrases(patterns).map((phrase): Cue => ({ party, strength, phrase })),
  );
}
