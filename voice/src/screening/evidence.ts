import type { ScreeningSettings } from "./screening-settings.ts";

/** Who or what may have answered. A network announcement is neither: it can neither talk nor record. */
export type Party = "human" | "voicemail" | "ivr" | "screening" | "fax" | "announcement";

/** An observation in favour of a party. `machine` supports any machine that other evidence supports. */
export interface Evidence {
  /** The same thing is not counted twice. */
  readonly id: string;
  readonly party: Party | "machine";
  readonly weight: number;
  /** Human-readable, after "because". */
  readonly reason: string;
}

const PARTIES = ["human", "voicemail", "ivr", "screening", "fax", "announcement"] as const satisfies Party[];

type Scores = Readonly<Record<Party, number>>;

export function addEvidence(known: readonly Evidence[], more: Evidence): readonly Evidence[] {
  return known.some(({ id }) => id === more.id) ? known : [...known, more];
}

export function weighEvidence(evidence: readonly Evidence[]): { readonly scores: Scores; readonly anyMachine: number } {
  const sum = (party: Evidence["party"]) =>
    evidence.reduce((total, each) => (each.party === party ? total + each.weight : total), 0);
  const anyMachine = sum("machine");
  const score = (party: Party) => {
    const own = sum(party);
    return own > 0 && party !== "human" ? own + anyMachine : own;
  };
  const scores = Object.fromEntries(PARTIES.map((party) => [party, score(party)])) as Record<Party, number>;
  return { scores, anyMachine };
}

/** Why it is this party, the weightiest reason first. */
export function explainParty(party: Party, evidence: readonly Evidence[]): string {
  const reasons = evidence
    .filter((each) => each.party === party || (each.party === "machine" && party !== "human"))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, REASONS_MAX)
    .map(({ reason }) => reason);
  return reasons.join(", ");
}

const REASONS_MAX = 4;

/**
 * The party according to all evidence, or null if it does not suffice. An earlier decision stands until another party
 * is decided on: weaker evidence alone changes nothing.
 */
export function decideParty(evidence: readonly Evidence[], settings: ScreeningSettings): Party | null {
  const { scores, anyMachine } = weighEvidence(evidence);
  const [machine, second] = rankMachines(scores);
  if (isMachine(scores[machine], scores.human, scores[second], settings)) return machine;
  const against = Math.max(scores[machine], anyMachine);
  const isHuman = scores.human >= settings.humanWeightMin && scores.human - against >= settings.humanLead;
  return isHuman ? "human" : null;
}

function isMachine(score: number, human: number, other: number, settings: ScreeningSettings): boolean {
  const { machineWeightMin, machineLead, otherMachineLead } = settings;
  return score >= machineWeightMin && score - human >= machineLead && score - other >= otherMachineLead;
}

function rankMachines(scores: Scores): [best: Party, second: Party] {
  const [best, second] = PARTIES.filter((party) => party !== "human").toSorted(
    (one, other) => scores[other] - scores[one],
  );
  return [best ?? "voicemail", second ?? "ivr"];
}
