import type { CallEventType } from "@parley/contract/call-events";
import type { LegEnd, RunEffect, RunState, Verdict } from "./run-state.ts";

/** The state after an event, and what follows from it. */
export type Stepped = readonly [RunState, readonly RunEffect[]];

export function note(event: CallEventType, data: Readonly<Record<string, unknown>> = {}): RunEffect {
  return { type: "commit_note", event, data };
}

/** Asks the network to end the call, for this reason. */
export function close(verdict: Verdict, answered: boolean): Stepped {
  return [{ phase: "closing", answered, verdict }, [{ type: "hang_up" }, { type: "start_timer", timer: "close" }]];
}

export function over(verdict: Verdict, answered: boolean, leg: LegEnd | null): Stepped {
  return [{ phase: "over" }, [{ type: "commit_end", verdict, answered, leg }]];
}

/** The line is gone; the end is committed when all that was said on it is written down. */
export function settle(verdict: Verdict, leg: LegEnd): Stepped {
  return [{ phase: "settling", verdict, leg }, [{ type: "start_timer", timer: "settle" }, { type: "settle" }]];
}
