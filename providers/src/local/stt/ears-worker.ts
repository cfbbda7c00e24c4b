import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { systemClock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { WorkQueue } from "../work-queue.ts";
import type { EarsCommand, EarsNotice, EarsReply, EarsRequest, EarsSetup } from "./ears-messages.ts";
import { measureSpeed } from "./measure-speed.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";
import { RecognizerProcess } from "./recognizer-process.ts";

/** The thread that looks after the recognizing processes, so that no conversation waits for the main thread. */

/**
 * Leaves room for a process that died to be replaced and asked again on a busy machine. Whoever cannot wait so long gives
 * up earlier by himself.
 */
const DEADLINE_MS = 8_000;
/** What would wait longer than the deadline need not wait at all. */
const WAITING_MAX = 64;

if (parentPort === null) throw new Error("this file is the inside of the recognizers' thread");
const owner = parentPort;
const { size, processes, deadlineMs = DEADLINE_MS } = workerData as EarsSetup;
const running = new Set<RecognizerProcess>();
const listeners = new Set<MessagePort>();
/** Opened, or being opened, before anybody asked. */
let spare: Promise<RecognizerProcess> | null = null;
let opening = 0;
let isStopping = false;
const queue = new WorkQueue<UtteranceWork, Recognition | null>({
  provider: "moonshine",
  openThread,
  threadsMax: processes,
  waitingMax: WAITING_MAX,
  deadlineMs,
  timers: systemClock,
});

async function openThread(): Promise<RecognizerProcess> {
  // Taken at once: two who need a process must not get the same one.
  const taken = spare;
  spare = null;
  const prepared = await taken?.catch(() => null);
  return prepared?.hasEnded === false ? prepared : openProcess();
}

async function openProcess(): Promise<RecognizerProcess> {
  opening += 1;
  try {
    const opened = await RecognizerProcess.open(size);
    running.add(opened);
    void opened.ended.then(() => replace(opened));
    return opened;
  } finally {
    opening -= 1;
  }
}

/** The next callee who speaks must not wait for networks to be loaded. Whoever was speaking has one opened by himself. */
function replace(dead: RecognizerProcess): void {
  running.delete(dead);
  if (isStopping || !dead.hasWorked || running.size + opening > 0) return;
  spare = openProcess();
  // Whoever needs it tries again, and hears what is wrong.
  spare.catch(() => undefined);
}

function connect(port: MessagePort): void {
  const underWay = new Map<number, AbortController>();
  listeners.add(port);
  port.on("message", (request: EarsRequest) => {
    if (request.type === "cancel") underWay.get(request.requestId)?.abort(new Error("it is not wanted any more"));
    else void answer(request);
  });
  port.on("close", () => {
    listeners.delete(port);
    for (const controller of underWay.values()) controller.abort(new Error("nobody listens any more"));
  });

  async function answer({ requestId, work, isUrgent }: Extract<EarsRequest, { type: "recognize" }>): Promise<void> {
    const controller = new AbortController();
    underWay.set(requestId, controller);
    const say = (reply: EarsReply) => port.postMessage(reply);
    try {
      const recognition = await queue.run(work, { signal: controller.signal, isUrgent });
      say({ type: "recognized", requestId, recognition });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say({ type: "failed", requestId, reason, retryable: error instanceof ProviderError && error.retryable });
    } finally {
      underWay.delete(requestId);
    }
  }
}

async function stop(): Promise<void> {
  isStopping = true;
  await queue.close();
  await Promise.allSettled([spare]);
  await Promise.all([...running].map((process) => process.end()));
  // Whoever still listens, or never began to, must not keep the thread from ending.
  for (const port of listeners) port.close();
  owner.close();
}

owner.on("message", (command: EarsCommand) => {
  if (command.type === "connect") connect(command.port);
  else if (command.type === "stop") void stop();
  else if (command.type === "count_listeners") {
    owner.postMessage({ type: "listeners", count: listeners.size } satisfies EarsNotice);
  } else {
    const pids = [...running].flatMap(({ hasEnded, pid }) => (hasEnded || pid === undefined ? [] : [pid]));
    owner.postMessage({ type: "processes", pids } satisfies EarsNotice);
  }
});

try {
  // Loads the networks and shows how fast they are, before the first callee speaks.
  const first = await openProcess();
  const secondsOfSpeechPerSecond = await measureSpeed((work) => first.run(work));
  spare = Promise.resolve(first);
  owner.postMessage({ type: "ready", secondsOfSpeechPerSecond } satisfies EarsNotice);
} catch (error) {
  owner.postMessage({
    type: "failed",
    reason: error instanceof Error ? error.message : String(error),
  } satisfies EarsNotice);
}
