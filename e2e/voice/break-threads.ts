import { until } from "../harness/api-client.ts";
import type { ServiceProcess } from "../harness/service-process.ts";

/** What a service is started with so that its threads can be broken from outside, by the inspector of Node. */
export const BREAKABLE = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly workerInfo?: { title: string; url: string };
    message?: string;
  };
}

/**
 * Runs a program in every thread of the service whose file has this name, also in threads of threads. Nothing is waited
 * for: the program may never end, or end its thread. Resolves with how many there were.
 */
export async function runInThreads(service: ServiceProcess, file: string, program: string): Promise<number> {
  const urls = [...service.output().matchAll(/Debugger listening on (ws:\/\/\S+)/g)].flatMap(([, url]) => url ?? []);
  const counts = await Promise.all(urls.map((url) => runBehind(url, file, program)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function runBehind(url: string, file: string, program: string): Promise<number> {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<boolean>();
  socket.addEventListener("open", () => opened.resolve(true));
  socket.addEventListener("error", () => opened.resolve(false));
  if (!(await opened.promise)) return 0;
  let found = 0;
  let idle = 0;
  let nextId = 1;
  // A message to a thread of a thread travels inside a message to that thread.
  const send = (path: readonly string[], method: string, params: object = {}): void => {
    let message: object = { id: nextId++, method, params };
    for (const sessionId of path.toReversed()) {
      message = {
        id: nextId++,
        method: "NodeWorker.sendMessageToWorker",
        params: { sessionId, message: JSON.stringify(message) },
      };
    }
    socket.send(JSON.stringify(message));
  };
  const read = (path: readonly string[], { method, params }: Reply): void => {
    idle = 0;
    if (params === undefined) return;
    const inner = [...path, params.sessionId];
    if (method === "NodeWorker.receivedMessageFromWorker") return read(inner, JSON.parse(params.message ?? "{}"));
    if (method !== "NodeWorker.attachedToWorker") return;
    if (params.workerInfo?.url.endsWith(file)) {
      found += 1;
      send(inner, "Runtime.evaluate", { expression: program });
    } else send(inner, "NodeWorker.enable", { waitForDebuggerOnStart: false });
  };
  socket.addEventListener("message", ({ data }) => read([], JSON.parse(String(data))));
  send([], "NodeWorker.enable", { waitForDebuggerOnStart: false });
  await until(
    async () => (idle += 1),
    (looks) => looks > 20,
    30_000,
  );
  socket.close();
  return found;
}
