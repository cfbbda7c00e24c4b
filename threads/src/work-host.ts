/** A worker thread or child process that does one piece of work after the other, seen from its owner. */
export interface WorkHost<Work, Result> {
  readonly hasEnded: boolean;
  /** Rejects with HostEnded when the host is gone before the work is done, else with the failure of the work. */
  run(work: Work): Promise<Result>;
  /** The result of the work under way is not needed. A host that can stop in the middle does, and then its run settles. */
  cancel?(): void;
  /** Ends the host, whatever it is doing. Does nothing when it has ended. */
  end(): Promise<void>;
}

/** The thread or process died or was ended; the work itself may not be at fault. */
export class HostEnded extends Error {
  override readonly name = "HostEnded";
}

/** What an owner sends to its host. */
export type WorkMessage<Work> =
  | { readonly type: "work"; readonly workId: number; readonly work: Work }
  | { readonly type: "cancel"; readonly workId: number };

/** What a host sends to its owner. */
export type WorkReply<Result> =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly workId: number; readonly result: Result }
  | { readonly type: "failed"; readonly workId: number; readonly reason: string };

/** The work whose reply an owner waits for. */
export class PendingWork<Result> {
  readonly #pending = new Map<number, PromiseWithResolvers<Result>>();
  #nextId = 1;

  get size(): number {
    return this.#pending.size;
  }

  get ids(): Iterable<number> {
    return this.#pending.keys();
  }

  add(): { readonly workId: number; readonly result: Promise<Result> } {
    const workId = this.#nextId++;
    const pending = Promise.withResolvers<Result>();
    this.#pending.set(workId, pending);
    return { workId, result: pending.promise };
  }

  settle(reply: Exclude<WorkReply<Result>, { type: "ready" }>): void {
    const pending = this.#pending.get(reply.workId);
    this.#pending.delete(reply.workId);
    if (reply.type === "done") pending?.resolve(reply.result);
    else pending?.reject(new Error(reply.reason));
  }

  rejectAll(error: Error): void {
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}
