import { type MessagePort, parentPort } from "node:worker_threads";
import { systemClock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { WorkProcess } from "../work-process.ts";
import { WorkQueue } from "../work-queue.ts";
import { EncoderSeat } from "./encoder-seat.ts";
import type { RankerCommand, RankerNotice, RankerReply, RankerRequest } from "./intents-messages.ts";
import { NearestPhrases } from "./nearest-phrases.ts";

/** The thread that looks after the encoding process, so that no conversation waits for the main thread. */

/** Leaves room for a process to be loaded, or replaced. Whoever cannot wait so long gives up earlier by himself. */
const DEADLINE_MS = 30_000;
/** What would wait longer than a callee does need not wait at all. */
const WAITING_MAX = 32;

if (parentPort === null) throw new Error("this file is the inside of the ranking thread");
const owner = parentPort;
const seat = new EncoderSeat(
  () => new WorkProcess("the encoding process", new URL("./encoder-child.ts", import.meta.url), systemClock),
);
const queue = new WorkQueue<readonly string[], Float32Array[]>({
  provider: "sentence-encoder",
  openThread: async () => seat.openThread(),
  threadsMax: 1,
  waitingMax: WAITING_MAX,
  deadlineMs: DEADLINE_MS,
  timers: systemClock,
});
const listeners = new Set<MessagePort>();
const phrases = new NearestPhrases((texts, options) => queue.run(texts, options));

function connect(port: MessagePort): void {
  const underWay = new Map<number, AbortController>();
  listeners.add(port);
  port.on("message", (request: RankerRequest) => {
    if (request.type === "cancel") underWay.get(request.requestId)?.abort(new Error("it is not wanted any more"));
    else if (request.type === "prepare") phrases.prepare(request.phrases);
    else void answer(request);
  });
  port.on("close", () => {
    listeners.delete(port);
    for (const controller of underWay.values()) controller.abort(new Error("nobody listens any more"));
  });

  async function answer({ requestId, text, candidates }: Extract<RankerRequest, { type: "rank" }>): Promise<void> {
    const controller = new AbortController();
    underWay.set(requestId, controller);
    const say = (reply: RankerReply) => port.postMessage(reply);
    try {
      say({ type: "ranked", requestId, scores: await phrases.rank(text, candidates, controller.signal) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say({ type: "failed", requestId, reason, retryable: error instanceof ProviderError && error.retryable });
    } finally {
      underWay.delete(requestId);
    }
  }
}

async function stop(): Promise<void> {
  await queue.close();
  await seat.end();
  // Whoever still listens, or never began to, must not keep the thread from ending.
  for (const port of listeners) port.close();
  owner.close();
}

owner.on("message", (command: RankerCommand) => {
  if (command.type === "connect") connect(command.port);
  else if (command.type === "stop") void stop();
  else {
    const { pid } = seat;
    owner.postMessage({ type: "processes", pids: pid === undefined ? [] : [pid] } satisfies RankerNotice);
  }
});
