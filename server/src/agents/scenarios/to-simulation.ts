import type { AnsweringMachine, CalleeStep } from "@parley/contract/callee-steps";
import type { Simulation } from "@parley/contract/simulation";

type ScriptStep = NonNullable<Simulation["script"]>[number];

/** Who answers at a number of the simulated network is decided by its last four digits. */
const MACHINE_DIGITS: Readonly<Record<AnsweringMachine, string>> = {
  voicemail: "0007",
  ivr: "0008",
  screening: "0018",
  fax: "0019",
};
const PERSON_DIGITS = "0001";
/** Longer than the silence after which an agent asks whether anybody is there: its question has begun by then. */
const SILENT_MS = 11_500;
/** An agent that is done hangs up sooner than this, and is not hung up on. */
const LINGER_MS = 10_000;

export interface SimulatedCallee {
  readonly phoneNumber: string;
  readonly simulation: Simulation | undefined;
}

/**
 * The simulated callee that does the steps of a scenario. Its number was never used before: what a call does to a number,
 * such as putting it on the suppression list, must not change the next run. `digits` gives seven of them.
 */
export function toSimulation(steps: readonly CalleeStep[], digits: string): SimulatedCallee {
  const [first] = steps;
  const machine = first !== undefined && "machine" in first ? first.machine : null;
  const phoneNumber = `+1555${digits}${machine === null ? PERSON_DIGITS : MACHINE_DIGITS[machine]}`;
  if (machine !== null) return { phoneNumber, simulation: undefined };
  // Whoever answers a phone says something first.
  const script: ScriptStep[] = [{ say: "Hello?" }, ...steps.flatMap(toScript)];
  const last = steps.at(-1);
  const waitsInVain = last !== undefined && "silent" in last;
  const hangsUp = last !== undefined && "hangUp" in last;
  if (!waitsInVain && !hangsUp) script.push({ waitForTurn: true }, { waitMs: LINGER_MS }, { hangUp: true });
  return { phoneNumber, simulation: { answerAfterMs: 500, script } };
}

function toScript(step: CalleeStep): ScriptStep[] {
  if ("machine" in step) return [];
  if ("silent" in step) return [{ waitForTurn: true }, { waitMs: SILENT_MS }];
  if ("press" in step) return [{ waitForTurn: true }, { press: step.press }];
  if ("hangUp" in step) return [{ waitForTurn: true }, { hangUp: true }];
  return "interruptAfterMs" in step ? [step] : [{ waitForTurn: true }, step];
}
