import type { SimulatedCalleePlan, SimulatedCalleeStep } from "../carrier.ts";
import { CALLEE_BY_LAST_DIGITS, type CalleeBehaviour, FRIENDLY_HUMAN } from "./callee-behaviours.ts";
import { applyPlan, type CalleeProfile } from "./callee-profile.ts";
import { runCallee } from "./callees/callee-machine.ts";
import { planned } from "./callees/planned.ts";

/** People differ by this much either way, so that a thousand calls placed together do not answer in one instant. */
const VARIATION = 0.1;

/**
 * Decides who answers at a number. A plan that says when to answer or what to do makes the callee answer, whatever its
 * number does otherwise; what the plan leaves out comes from the number, or from the friendly human where the number never
 * answers. A plan's voice and noise change how the callee sounds and nothing else. Planned times are kept exactly, others
 * vary by `random`, which gives numbers from 0 to 1 (0.5 means no variation).
 */
export function chooseCallee(to: string, plan: SimulatedCalleePlan | undefined, random: () => number): CalleeBehaviour {
  const callee = CALLEE_BY_LAST_DIGITS.get(lastFourDigits(to)) ?? FRIENDLY_HUMAN;
  const { answerAfterMs, script } = plan ?? {};
  if (answerAfterMs === undefined && script === undefined) return withPlannedAudio(varied(callee, random), plan);
  const answering = callee.does === "answers" ? callee : FRIENDLY_HUMAN;
  const profile = script === undefined ? answering.profile : scripted(answering.profile, script);
  const behaviour = {
    does: "answers" as const,
    name: answering.name,
    answerAfterMs: answerAfterMs ?? answering.answerAfterMs,
    profile,
    script: script ?? answering.script,
  };
  return withPlannedAudio(behaviour, plan);
}

function scripted(profile: CalleeProfile, script: readonly SimulatedCalleeStep[]): CalleeProfile {
  return { ...profile, callee: () => runCallee(planned(script)) };
}

function withPlannedAudio(callee: CalleeBehaviour, plan: SimulatedCalleePlan | undefined): CalleeBehaviour {
  if (callee.does !== "answers" || plan === undefined) return callee;
  return { ...callee, profile: applyPlan(callee.profile, plan) };
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
