import type { Timers } from "@parley/time/clock";
import type { WorkThread } from "./work-thread.ts";

export interface WorkQueueOptions<Work, Result> {
  /** Whose errors these are. */
  readonly provider: string;
  /** The signal says that the queue is closed: what is still being opened may be given up. */
  readonly openThread: (signal: AbortSignal) => Promise<WorkThread<Work, Result>>;
  /** Threads are opened when there is work for them, up to this many. */
  readonly threadsMax: number;
  /** How much may wait for a thread. More of it would only be late. */
  readonly waitingMax: number;
  /** From asking to having, waiting included. A thread that takes longer is taken for stuck, and replaced. */
  readonly deadlineMs: number;
  /** A thread was lost and is replaced. Work that was lost with it is tried once more. */
  readonly onThreadLost?: (reason: string) => void;
  readonly timers: Timers;
}

export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Work that somebody waits for goes before work that is done on a guess. */
  readonly isUrgent?: boolean;
}
