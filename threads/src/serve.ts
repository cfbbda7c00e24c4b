import { parentPort, type Transferable } from "node:worker_threads";
import type { WorkMessage, WorkReply } from "./work-host.ts";

/** Does one piece of work. The signal is aborted when its result is no longer needed. */
export type DoWork<Work, Result> = (work: Work, signal: AbortSignal) => Result | Promise<Result>;

/** The inside of a `WorkerHost`. What `transferOf` names is moved to the owner instead of copied. */
export function serveWorker<Work, Result>(
  doWork: DoWork<Work, Result>,
  transferOf: (result: Result) => Transferable[] = () => [],
): void {
  if (parentPort === null) throw new Error("this program is the inside of a worker thread");
  const port = parentPort;
  const send = (reply: WorkReply<Result>) => {
    port.postMessage(reply, reply.type === "done" ? transferOf(reply.result) : []);
  };
  port.on("message", serveInOrder(doWork, send));
  send({ type: "ready" });
}

/** The inside of a `ProcessHost`. Call it when everything is loaded: it reports to the owner as ready. */
export function serveProcess<Work, Result>(doWork: DoWork<Work, Result>): void {
  // If the channel is already closed, "disconnect" follows and ends this process.
  const send = (reply: WorkReply<Result>) => {
    if (process.connected) process.send?.(reply, undefined, {}, () => undefined);
  };
  process.on("message", serveInOrder(doWork, send));
  send({ type: "ready" });
}

/** A child process calls it before it loads anything: its owner may be gone by the time it is ready. */
export function followOwner(): void {
  if (!process.connected) process.exit(0);
  process.on("disconnect", () => process.exit(0));
}

function serveInOrder<Work, Result>(
  doWork: DoWork<Work, Result>,
  send: (reply: WorkReply<Result>) => void,
): (message: WorkMessage<Work>) => void {
  const controllers = new Map<number, AbortController>();
  let queue: Promise<void> = Promise.resolve();
  return (message) => {
    if (message.type === "cancel") {
      controllers.get(message.workId)?.abort();
      return;
    }
    const { workId, work } = message;
    const controller = new AbortController();
    controllers.set(workId, controller);
    queue = queue.then(async () => {
      try {
        send({ type: "done", workId, result: await doWork(work, controller.signal) });
      } catch (error) {
        send({ type: "failed", workId, reason: error instanceof Error ? error.message : String(error) });
      } finally {
        controllers.delete(workId);
      }
    });
  };
}
