import { MessageChannel, type MessagePort, parentPort, Worker } from "node:worker_threads";

type ServiceCommand<Answers> =
  | { readonly type: "connect"; readonly port: MessagePort }
  | { readonly type: "question"; readonly questionId: number; readonly question: keyof Answers }
  | { readonly type: "stop" };

type ServiceMessage<Ready> =
  | { readonly type: "ready"; readonly ready: Ready }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "problem"; readonly reason: string }
  | { readonly type: "answer"; readonly questionId: number; readonly answer: unknown };

/**
 * A thread that serves other threads over their own ports, so that nothing passes through its owner. `Answers` are the
 * questions its owner may ask, with the type of the answer to each.
 */
export interface ServiceThread<Ready, Answers> {
  /** Resolves with the report of the service when it is ready. Rejects when it cannot start. */
  readonly ready: Promise<Ready>;
  /** Resolves with the exit code when the thread has ended, for any reason. */
  readonly ended: Promise<number>;
  /** A port to the service for one thread. */
  connect(): MessagePort;
  ask<Question extends keyof Answers>(question: Question): Promise<Answers[Question]>;
  /** Resolves when the thread has exited on its own. It is never terminated, because it may be inside a native call. */
  stop(): Promise<void>;
  /** Asks a hanging thread to stop when it can, without waiting for it or keeping the program alive for it. */
  abandon(): void;
}

export interface ServiceThreadOptions {
  readonly name: string;
  readonly workerData?: unknown;
  /** The thread failed and is gone. */
  readonly onFailure?: (reason: string) => void;
  /** The service had a problem and continues. */
  readonly onProblem?: (reason: string) => void;
}

/** Starts a program that runs `serveThread`. */
export function startServiceThread<Ready, Answers>(
  program: URL,
  { name, workerData, onFailure, onProblem }: ServiceThreadOptions,
): ServiceThread<Ready, Answers> {
  const worker = new Worker(program, { name, workerData });
  const ready = Promise.withResolvers<Ready>();
  // An owner that does not wait for it is notified of a failure by `onFailure`.
  ready.promise.catch(() => undefined);
  const ended = new Promise<number>((resolve) => worker.once("exit", resolve));
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let nextId = 1;
  let hasExited = false;
  const send = (command: ServiceCommand<Answers>, ports: MessagePort[] = []) => worker.postMessage(command, ports);
  const gone = () => new Error(`the thread ${name} ended`);
  worker.on("message", (message: ServiceMessage<Ready>) => {
    if (message.type === "ready") ready.resolve(message.ready);
    else if (message.type === "failed") ready.reject(new Error(message.reason));
    else if (message.type === "problem") onProblem?.(message.reason);
    else {
      asked.get(message.questionId)?.resolve(message.answer);
      asked.delete(message.questionId);
    }
  });
  worker.on("error", (error) => {
    ready.reject(error);
    onFailure?.(error instanceof Error ? error.message : String(error));
  });
  worker.on("exit", () => {
    hasExited = true;
    ready.reject(gone());
    for (const { reject } of asked.values()) reject(gone());
    asked.clear();
  });
  return {
    ready: ready.promise,
    ended,
    connect() {
      const { port1, port2 } = new MessageChannel();
      send({ type: "connect", port: port1 }, [port1]);
      return port2;
    },
    ask<Question extends keyof Answers>(question: Question): Promise<Answers[Question]> {
      if (hasExited) return Promise.reject(gone());
      const questionId = nextId++;
      const waiting = Promise.withResolvers<unknown>();
      asked.set(questionId, waiting);
      send({ type: "question", questionId, question });
      return waiting.promise as Promise<Answers[Question]>;
    },
    async stop() {
      send({ type: "stop" });
      await ended;
    },
    abandon() {
      send({ type: "stop" });
      worker.unref();
    },
  };
}

export interface ThreadService<Ready, Answers> {
  /** Loads what the service needs. */
  readonly start: () => Ready | Promise<Ready>;
  /** Serves the port of one client, until it is closed. */
  readonly connect: (port: MessagePort) => void;
  /** What the owner may ask. `clients` is how many threads are connected. */
  readonly answers: { readonly [Question in keyof Answers]: (clients: number) => Answers[Question] };
  /** Ends what the service runs. The ports are closed afterwards. */
  readonly stop: () => Promise<void>;
}

/** What the inside of a service thread can report to its owner. */
export interface ServiceOwner {
  /** Reports a problem that the service survives. */
  reportProblem(reason: string): void;
}

/** The inside of a service thread. It ends when `stop` has resolved. */
export function serveThread<Ready, Answers>(service: ThreadService<Ready, Answers>): ServiceOwner {
  if (parentPort === null) throw new Error("this program is the inside of a service thread");
  const owner = parentPort;
  const clients = new Set<MessagePort>();
  const send = (message: ServiceMessage<Ready>) => owner.postMessage(message);

  function connect(port: MessagePort): void {
    clients.add(port);
    port.on("close", () => clients.delete(port));
    service.connect(port);
  }

  async function stop(): Promise<void> {
    await service.stop();
    // A client that still listens, or never began to, must not keep the thread from ending.
    for (const port of clients) port.close();
    owner.close();
  }

  async function start(): Promise<void> {
    try {
      send({ type: "ready", ready: await service.start() });
    } catch (error) {
      send({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
    }
  }

  owner.on("message", (command: ServiceCommand<Answers>) => {
    if (command.type === "connect") connect(command.port);
    else if (command.type === "stop") void stop();
    else {
      const { questionId, question } = command;
      send({ type: "answer", questionId, answer: service.answers[question](clients.size) });
    }
  });
  void start();
  return { reportProblem: (reason) => send({ type: "problem", reason }) };
}
