import type { Clock } from "@parley/time/clock";

export interface RunFollowerDeps {
  readonly clock: Pick<Clock, "setTimer">;
  /** Takes the run a step further. */
  advance(runId: string): Promise<void>;
  isFinished(runId: string): Promise<boolean>;
  onTrouble(error: unknown): void;
}

const LOOK_EVERY_MS = 1_000;
/** Longer than any run takes; a stuck run is resumed by the next request for it. */
const LOOKS_MAX = 3600;

/** Advances runs on audio in the background. Runs that are open when the process ends continue with the next request. */
export class RunFollower {
  readonly #deps: RunFollowerDeps;
  readonly #following = new Map<string, { cancel: () => void; looks: number }>();
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: RunFollowerDeps) {
    this.#deps = deps;
  }

  follow(runId: string): void {
    if (this.#isClosed || this.#following.has(runId)) return;
    this.#following.set(runId, { cancel: () => undefined, looks: 0 });
    this.#lookLater(runId);
  }

  /** Resolves when it has stopped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { cancel } of this.#following.values()) cancel();
    this.#following.clear();
    await this.#looking;
  }

  #lookLater(runId: string): void {
    const entry = this.#following.get(runId);
    if (entry === undefined || this.#isClosed) return;
    entry.cancel = this.#deps.clock.setTimer(LOOK_EVERY_MS, () => {
      this.#looking = this.#looking.then(() => this.#look(runId));
    });
  }

  async #look(runId: string): Promise<void> {
    const entry = this.#following.get(runId);
    if (entry === undefined || this.#isClosed) return;
    entry.looks += 1;
    try {
      await this.#deps.advance(runId);
      if (entry.looks >= LOOKS_MAX || (await this.#deps.isFinished(runId))) this.#following.delete(runId);
    } catch (error) {
      this.#deps.onTrouble(error);
      if (entry.looks >= LOOKS_MAX) this.#following.delete(runId);
    }
    this.#lookLater(runId);
  }
}
