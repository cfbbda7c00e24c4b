import type { SimulatedCalleePlan, SimulatedCalleeStep } from "../carrier.ts";
import { CALLEE_BY_LAST_DIGITS, type CalleeBehaviour, FRIENDLY_HUMAN } from "./callee-behaviours.ts";

/** People differ by this much either way, so that a thousand calls placed together do not answer in one instant. */
const VARIATION = 0.1;

/**
 * Decides who answers at a number. A plan that says anything makes the callee answer, whatever its number does
 * otherwise; what the plan leaves out comes from the number, or from the friendly human where the number never answers.
 * Planned times are kept exactly, others vary by `random`, which gives numbers from 0 to 1 (0.5 means no variation).
 */
export function chooseCallee(to: string, plan: SimulatedCalleePlan | undefined, random: () => number): CalleeBehaviour {
  const callee = CALLEE_BY_LAST_DIGITS.get(lastFourDigits(to)) ?? FRIENDLY_HUMAN;
  const isPlanned = plan?.answerAfterMs !== undefined || plan?.script !== undefined;
  if (!isPlanned) return varied(callee, random);
  const answering = callee.does === "answers" ? callee : FRIENDLY_HUMAN;
  return {
    does: "answers",
    name: answering.name,
    answerAfterMs: plan.answerAfterMs ?? answering.answerAfterMs,
    script: plan.script ?? answering.script,
  };
}

function lastFourDigits(to: string): string {
  return to.replace(/\D/g, "").slice(-4);
}

function varied(callee: CalleeBehaviour, random: () => number): CalleeBehaviour {
  const vary = (durationMs: number) => durationMs * (1 + VARIATION * (2 * random() - 1));
  const varyStep = (step: SimulatedCalleeStep) => ("waitMs" in step ? { waitMs: vary(step.waitMs) } : step);
  switch (callee.does) {
    case "answers":
      return { ...callee, answerAfterMs: vary(callee.answerAfterMs), script: callee.script.map(varyStep) };
    case "refuses":
      return { ...callee, refuseAfterMs: vary(callee.refuseAfterMs) };
    case "ignores":
      return callee;
  }
}
