import { until } from "../harness/api-client.ts";
import type { ServiceProcess } from "../harness/service-process.ts";

/** What a service is started with so that its threads can be broken from outside, by the inspector of Node. */
export const BREAKABLE = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/** Until the inspector has reported nothing for this many looks, a tenth of a second each, all threads are known. */
const QUIET_LOOKS = 20;

interface Message {
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly workerInfo?: { readonly url: string };
    /** Whether it is a thread that was only just started. */
    readonly waitingForDebugger?: boolean;
  };
}

/** Threads that are broken, and every one that replaces them until `stop`. */
export interface BrokenThreads {
  /** How many have been broken so far. */
  count(): number;
  stop(): void;
}

/**
 * Runs a program in every thread of the service whose file has this name, without its ending. Nothing is waited for:
 * the program may never end, or end its thread. Resolves with how many there were.
 */
export async function runInThreads(service: ServiceProcess, file: string, program: string): Promise<number> {
  const broken = await breakThreads(service, file, program, false);
  broken.stop();
  return broken.count();
}

/**
 * Runs a program in every thread whose file has this name, and in every such thread that is started later, before
 * anything else runs in it. Resolves when it ran in all there are.
 */
export function keepBreakingThreads(service: ServiceProcess, file: string, program: string): Promise<BrokenThreads> {
  return breakThreads(service, file, program, true);
}

async function breakThreads(
  service: ServiceProcess,
  file: string,
  program: string,
  isLasting: boolean,
): Promise<BrokenThreads> {
  const urls = [...service.output().matchAll(/Debugger listening on (ws:\/\/\S+)/g)].flatMap(([, url]) => url ?? []);
  const all = await Promise.all(urls.map((url) => breakBehind(url, file, program, isLasting)));
  return {
    count: () => all.reduce((sum, one) => sum + one.count(), 0),
    stop: () => {
      for (const one of all) one.stop();
    },
  };
}

async function breakBehind(url: string, file: string, program: string, isLasting: boolean): Promise<BrokenThreads> {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<boolean>();
  socket.addEventListener("open", () => opened.resolve(true));
  socket.addEventListener("error", () => opened.resolve(false));
  let count = 0;
  let quietLooks = 0;
  let nextId = 1;
  const broken = { count: () => count, stop: () => socket.close() };
  if (!(await opened.promise)) return broken;
  const send = (method: string, params: object): void => socket.send(JSON.stringify({ id: nextId++, method, params }));
  const sendTo = (sessionId: string, method: string, params: object = {}): void => {
    const message = JSON.stringify({ id: nextId++, method, params });
    send("NodeWorker.sendMessageToWorker", { sessionId, message });
  };
  socket.addEventListener("message", ({ data }) => {
    quietLooks = 0;
    const { method, params }: Message = JSON.parse(String(data));
    if (method !== "NodeWorker.attachedToWorker" || params === undefined) return;
    const isMeant = isLasting || params.waitingForDebugger !== true;
    if (isMeant && params.workerInfo?.url.replace(/\.m?[jt]s$/, "").endsWith(file)) {
      count += 1;
      sendTo(params.sessionId, "Runtime.evaluate", { expression: program });
    }
    // A thread that was started since waits for permission to begin.
    sendTo(params.sessionId, "Runtime.runIfWaitingForDebugger");
  });
  send("NodeWorker.enable", { waitForDebuggerOnStart: true });
  await until(
    async () => (quietLooks += 1),
    (looks) => looks > QUIET_LOOKS,
    30_000,
  );
  return broken;
}
