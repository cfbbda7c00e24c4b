import type { CallRow } from "../call-record.ts";
import type { RunEffect, RunEvent } from "./run-state.ts";
import type { RunTimers } from "./run-timers.ts";

export type RunLimit = Extract<RunEffect, { type: "start_timer" }>["timer"];

export interface RunLimitsParts {
  readonly timers: RunTimers;
  call(): CallRow;
  tell(event: RunEvent): void;
}

/** How long before the callee must be hung up on a goodbye is begun. */
export const FAREWELL_LEAD_MS = 6000;
/** In a shorter call there is no time for one. */
const FAREWELL_WORTHWHILE_MS = 20_000;
const TRUNK_WAIT_FIRST_MS = 500;
/** A channel that is kept for whoever waits stands idle for so long at most. */
const TRUNK_WAIT_MAX_MS = 2000;
const FIXED_MS = { farewell: 8000, close: 5000, settle: 1500 } as const;

/** How long each part of a run may take. */
export class RunLimits {
  readonly #parts: RunLimitsParts;

  constructor(parts: RunLimitsParts) {
    this.#parts = parts;
  }

  start(limit: RunLimit): void {
    const { ring_timeout_seconds, max_duration_seconds } = this.#parts.call();
    if (limit === "ring") this.#set("ring", ring_timeout_seconds * 1000, { type: "ring_time.over" });
    else if (limit === "talk") this.#limitTalk(max_duration_seconds * 1000);
    else this.#set(limit, FIXED_MS[limit], { type: `${limit}_time.over` });
  }

  /** When the call is to be sent. */
  sendIn(delayMs: number): void {
    this.#set("send", delayMs, { type: "send_time.reached" });
  }

  /** No trunk had a channel free, for so many times now. */
  sendAgain(tries: number): void {
    this.#parts.timers.cancel("ring");
    this.sendIn(Math.min(TRUNK_WAIT_FIRST_MS * 2 ** (tries - 1), TRUNK_WAIT_MAX_MS));
  }

  #limitTalk(talkMaxMs: number): void {
    this.#set("talk", talkMaxMs, { type: "talk_time.over" });
    if (talkMaxMs >= FAREWELL_WORTHWHILE_MS)
      this.#set("talk-nearly", talkMaxMs - FAREWELL_LEAD_MS, { type: "talk_time.nearly_over" });
  }

  #set(name: string, delayMs: number, event: RunEvent): void {
    this.#parts.timers.set(name, delayMs, () => this.#parts.tell(event));
  }
}
