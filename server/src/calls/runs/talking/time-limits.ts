import type { RunContext } from "../deps.ts";
import type { RunEffect, RunEvent } from "../machine.ts";

type Limit = Extract<RunEffect, { type: "start_timer" }>["timer"];

/** How long before the callee must be hung up on the agent begins to say goodbye. */
export const FAREWELL_LEAD_MS = 6000;
/** A shorter call has no time for a goodbye. */
const FAREWELL_WORTHWHILE_MS = 20_000;
const TRUNK_WAIT_FIRST_MS = 500;
/** A channel reserved for a waiting call stays idle for no longer than this. */
const TRUNK_WAIT_MAX_MS = 2000;
const FIXED_MS = { farewell: 8000, close: 5000, settle: 1500 } as const;

/** Limits how long a phase of the run may take. */
export function startLimit(run: RunContext, limit: Limit): void {
  const { ring_timeout_seconds, max_duration_seconds } = run.call;
  if (limit === "ring") dispatchIn(run, "ring", ring_timeout_seconds * 1000, { type: "ring_time.over" });
  else if (limit === "talk") limitTalk(run, max_duration_seconds * 1000);
  else dispatchIn(run, limit, FIXED_MS[limit], { type: `${limit}_time.over` });
}

/** Sends the call after a delay. */
export function sendIn(run: RunContext, delayMs: number): void {
  dispatchIn(run, "send", delayMs, { type: "send_time.reached" });
}

/** Sends the call again after every trunk was full, for the given number of times so far. */
export function sendAgain(run: RunContext, tries: number): void {
  run.timers.cancel("ring");
  sendIn(run, Math.min(TRUNK_WAIT_FIRST_MS * 2 ** (tries - 1), TRUNK_WAIT_MAX_MS));
}

function limitTalk(run: RunContext, talkMaxMs: number): void {
  dispatchIn(run, "talk", talkMaxMs, { type: "talk_time.over" });
  if (talkMaxMs >= FAREWELL_WORTHWHILE_MS)
    dispatchIn(run, "talk-nearly", talkMaxMs - FAREWELL_LEAD_MS, { type: "talk_time.nearly_over" });
}

function dispatchIn(run: RunContext, name: string, delayMs: number, event: RunEvent): void {
  run.timers.set(name, delayMs, () => run.dispatch(event));
}
