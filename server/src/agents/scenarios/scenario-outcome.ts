import type { EndReason } from "@parley/contract/calls";
import type { ScenarioLine } from "@parley/contract/scenarios";
import type { CollectedValues } from "@parley/contract/try";

/**
 * The outcome of a scenario, by text or voice. Everything has its step: 0 is how the agent opens, 1 is what follows
 * from the callee's first step. By voice the turns of the call count as steps.
 */
export interface ScenarioOutcome {
  readonly lines: readonly ScenarioLine[];
  readonly visits: readonly { readonly nodeId: string; readonly step: number }[];
  readonly collected: CollectedValues;
  readonly endReason: EndReason | null;
  /** The step after which the number was put on the suppression list; null when it was not. */
  readonly suppressedAtStep: number | null;
  /** `to` is null where only that it was handed on is known. */
  readonly transfers: readonly { readonly to: string | null; readonly step: number }[];
  readonly toolCalls: readonly { readonly name: string; readonly step: number }[];
  readonly stepsTaken: number;
  readonly stepsTotal: number;
  /** Failures from which the conversation recovered. */
  readonly faults: readonly string[];
}

export const NOTHING_HAPPENED: ScenarioOutcome = {
  lines: [],
  visits: [],
  collected: {},
  endReason: null,
  suppressedAtStep: null,
  transfers: [],
  toolCalls: [],
  stepsTaken: 0,
  stepsTotal: 0,
  faults: [],
};
