import type { DoctorFinding, DoctorStep } from "@parley/contract/doctor";

/** What a step found. */
export function ok(step: DoctorStep, finding: string): DoctorFinding {
  return { step, verdict: "ok", finding, remedy: null };
}

/** Calls may still work. */
export function warning(step: DoctorStep, finding: string, remedy: string): DoctorFinding {
  return { step, verdict: "warning", finding, remedy };
}

/** Calls do not work so. */
export function fault(step: DoctorStep, finding: string, remedy: string): DoctorFinding {
  return { step, verdict: "fault", finding, remedy };
}

/** It was not checked, and why. */
export function skipped(step: DoctorStep, finding: string, remedy: string | null = null): DoctorFinding {
  return { step, verdict: "skipped", finding, remedy };
}

/** `0.4 s` below ten seconds, `12 s` above, `35 ms` where it is quicker than one notices. */
export function seconds(durationMs: number): string {
  if (durationMs < 100) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return `${Math.round(durationMs / 1000)} s`;
}
