import type { Log } from "../platform/telemetry/log.ts";
import type { Service } from "./start-service.ts";

/** SIGTERM waits for calls to end; SIGINT, from a person at a terminal, this long. */
const PATIENCE_MS: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGTERM: Number.POSITIVE_INFINITY,
  SIGINT: 10_000,
};

/**
 * Under npm one Ctrl-C arrives twice: the terminal sends it to every process, and npm passes on its own. The same signal
 * within so short a time is one request, not the second one that quits immediately.
 */
const ECHO_MS = 500;

/** The parts of the process that signals need. */
interface SignalHost {
  on(signal: "SIGINT" | "SIGTERM" | "disconnect", listener: (signal: NodeJS.Signals) => void): unknown;
  exit(code: number): void;
  nowMs(): number;
}

const thisProcess: SignalHost = {
  on: (signal, listener) => process.on(signal, listener),
  exit: (code) => process.exit(code),
  nowMs: () => performance.now(),
};

/** The reason with which a start gives up its wait for others. */
const STOPPED_BY_SIGNAL = new Error("stopped by a signal");

/**
 * Starts the service and stops it on a signal, also one that comes while it starts: the start is completed first, so that
 * what it began (PostgreSQL above all) is ended in order, but it no longer waits for other processes. A second signal quits
 * immediately. Rejects when the start fails.
 */
export async function stopOnSignal(
  start: (signal: AbortSignal) => Promise<Pick<Service, "stop">>,
  log: Log,
  host = thisProcess,
): Promise<void> {
  const canceled = new AbortController();
  let first: { readonly signal: NodeJS.Signals; readonly atMs: number } | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (first) {
      if (signal !== first.signal || host.nowMs() - first.atMs > ECHO_MS) host.exit(1);
      return;
    }
    first = { signal, atMs: host.nowMs() };
    log.info({ signal }, "stopping");
    canceled.abort(STOPPED_BY_SIGNAL);
    void stop(signal);
  };
  const stop = async (signal: NodeJS.Signals) => {
    let service: Pick<Service, "stop"> | null;
    try {
      service = await starting;
    } catch {
      // A failed start is reported by the caller.
      return;
    }
    try {
      await service?.stop(PATIENCE_MS[signal] ?? 0);
    } catch (error) {
      log.error({ error }, "stopping failed");
      return host.exit(1);
    }
    log.info("stopped");
    host.exit(0);
  };
  const starting = start(canceled.signal).catch((error: unknown) => {
    if (error === STOPPED_BY_SIGNAL) return null;
    throw error;
  });
  host.on("SIGINT", onSignal);
  host.on("SIGTERM", onSignal);
  // A worker process whose parent was killed conducts its calls to their end, and no others.
  host.on("disconnect", () => onSignal("SIGTERM"));
  await starting;
}

/** The reader of our output may go away, such as a closed terminal or a crashed log collector. That must not end calls. */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
