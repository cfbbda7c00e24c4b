/** A thread that does one piece of work after the other. */
export interface WorkThread<Work, Result> {
  readonly hasEnded: boolean;
  /** Rejects with ThreadEnded when the thread is gone before the work is done, else with what went wrong in it. */
  run(work: Work): Promise<Result>;
  /** Nobody waits for the work under way any more. A thread that can stop in the middle does, and then its run settles. */
  cancel?(): void;
  /** Ends the thread wherever it is. Harmless when it has ended. */
  end(): Promise<void>;
}

/** The thread died or was ended; the work itself may be blameless. */
export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
}
