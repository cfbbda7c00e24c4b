import type { ProcessReply, ProcessWork } from "./process-messages.ts";

/** The inside of a `WorkProcess`: says that it is ready, and does one piece of work after the other from then on. */
export function serveProcess<Work, Result>(doWork: (work: Work) => Promise<Result>): void {
  let queue: Promise<void> = Promise.resolve();
  // Who is not told because the owner is gone, ends by that.
  const say = (reply: ProcessReply<Result>) => process.send?.(reply, undefined, {}, () => undefined);
  process.on("message", ({ workId, work }: ProcessWork<Work>) => {
    queue = queue.then(async () => {
      try {
        say({ type: "done", workId, result: await doWork(work) });
      } catch (error) {
        say({ type: "failed", workId, reason: error instanceof Error ? error.message : String(error) });
      }
    });
  });
  say({ type: "ready" });
}

/** To be called before anything is loaded: the owner may be gone by then. */
export function followOwner(): void {
  // Whoever started this process is gone, and with it everybody who would listen.
  process.on("disconnect", () => process.exit(0));
  // Signals of the terminal go to the whole group; the owner decides when this process ends.
  process.on("SIGINT", () => undefined);
}
