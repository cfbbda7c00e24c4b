import { type Evidence, PARTIES, type Party, type Scores, weighEvidence } from "./evidence.ts";
import type { ScreeningSettings } from "./screening-settings.ts";

/**
 * Who it is by all that was heard, or null where that does not decide it. Who was decided on before stays until somebody
 * else is decided on: evidence that merely becomes doubtful changes nothing.
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
