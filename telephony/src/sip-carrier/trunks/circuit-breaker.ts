import type { AttemptEnd } from "../leg/attempt-end.ts";

/**
 * Keeps calls away from a trunk that cannot carry them:
 *
 * - closed: calls go through; the outcomes of recent calls are remembered.
 * - open: too many of them met trouble. No call goes through until the time is over.
 * - half_open: one call may try. It closes the circuit, or opens it again.
 */
export type CircuitState =
  | { readonly phase: "closed"; readonly marks: readonly Mark[] }
  | { readonly phase: "open"; readonly untilMs: number }
  | { readonly phase: "half_open"; readonly triedAtMs: number | null };

interface Mark {
  readonly atMs: number;
  readonly isTrouble: boolean;
}

/** `unclear` returns a trial: it was hung up before the trunk responded. */
export type TrunkOutcome = "fine" | "trouble" | "unclear";

export const CLOSED_CIRCUIT: CircuitState = { phase: "closed", marks: [] };

/** Short enough to forget a hiccup, long enough for three calls of a quiet installation to show trouble. */
const WINDOW_MS = 120_000;
const TROUBLES_MIN = 3;
/** A busy trunk that occasionally refuses stays closed. */
const TROUBLE_SHARE_MIN = 0.5;
const OPEN_MS = 30_000;
const MARKS_MAX = 50;
/** A trial without a result for this long is no longer awaited. */
const TRIAL_MAX_MS = 120_000;

/** The current state. */
export function circuitAt(state: CircuitState, nowMs: number): CircuitState {
  return state.phase === "open" && nowMs >= state.untilMs ? { phase: "half_open", triedAtMs: null } : state;
}

/** Admits a call. Null when it may not go out. */
export function admitCall(state: CircuitState, nowMs: number): CircuitState | null {
  const now = circuitAt(state, nowMs);
  if (now.phase === "closed") return now;
  if (now.phase === "open") return null;
  const isTrying = now.triedAtMs !== null && nowMs - now.triedAtMs < TRIAL_MAX_MS;
  return isTrying ? null : { phase: "half_open", triedAtMs: nowMs };
}

/** Records the outcome of a call. */
export function recordOutcome(state: CircuitState, outcome: TrunkOutcome, nowMs: number): CircuitState {
  const now = circuitAt(state, nowMs);
  if (now.phase === "open") return now;
  if (now.phase === "half_open") {
    if (outcome === "fine") return CLOSED_CIRCUIT;
    return outcome === "trouble"
      ? { phase: "open", untilMs: nowMs + OPEN_MS }
      : { phase: "half_open", triedAtMs: null };
  }
  if (outcome === "unclear") return now;
  const recent = now.marks.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  const marks = [...recent, { atMs: nowMs, isTrouble: outcome === "trouble" }].slice(-MARKS_MAX);
  const troubles = marks.filter(({ isTrouble }) => isTrouble).length;
  const isTooMuch = troubles >= TROUBLES_MIN && troubles / marks.length >= TROUBLE_SHARE_MIN;
  return isTooMuch ? { phase: "open", untilMs: nowMs + OPEN_MS } : { phase: "closed", marks };
}

/** Whether the end of an attempt counts against its trunk. A callee who is busy, away or unknown does not. */
export function judgeTrunk(end: AttemptEnd): TrunkOutcome {
  switch (end.kind) {
    case "no_response":
      return "trouble";
    case "refused":
      return end.status === 503 ? "trouble" : "fine";
    case "canceled":
    case "not_sent":
    case "broken_off":
      return "unclear";
    case "rang_out":
    case "not_committed":
    case "hung_up":
      return "fine";
  }
}
