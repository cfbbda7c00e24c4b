import type { DoctorFinding, DoctorStep } from "@parley/contract/doctor";

/** What a step found. */
export function ok(step: DoctorStep, finding: string): DoctorFinding {
  return { step, verdict: "ok", finding, remedy: null };
}

/** Calls may work all the same. */
export function warning(step: DoctorStep, finding: string, remedy: string): DoctorFinding {
  return { step, verdict: "warning", finding, remedy };
}

/** Calls do not work so. */
export function fault(step: DoctorStep, finding: string, remedy: string): DoctorFinding {
  return { step, verdict: "fault", finding, remedy };
}

/** It was not looked at, and why. */
export function skipped(step: DoctorStep, finding: string, remedy: string | null = null): DoctorFinding {
  return { step, verdict: "skipped", finding, remedy };
}
