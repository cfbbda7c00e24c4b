import type { Log } from "../telemetry/log.ts";
import type { Service } from "./service.ts";

/** SIGTERM waits for calls to end; SIGINT, from a person at a terminal, this long. */
const PATIENCE_MS: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGTERM: Number.POSITIVE_INFINITY,
  SIGINT: 10_000,
};

/**
 * Under npm one Ctrl-C arrives twice: the terminal sends it to every process, and npm passes on its own. The same signal
 * within so short a time is one wish, not the second one that quits at once.
 */
const ECHO_MS = 500;

/**
 * Stops the service on a signal, also one that comes while it starts: the start is completed first, so that what it began
 * (PostgreSQL above all) is ended in order. A second signal quits at once.
 */
export function stopOnSignal(starting: Promise<Service>, log: Log): void {
  let first: { readonly signal: NodeJS.Signals; readonly atMs: number } | null = null;
  const heed = (signal: NodeJS.Signals) => {
    if (first) {
      if (signal !== first.signal || performance.now() - first.atMs > ECHO_MS) process.exit(1);
      return;
    }
    first = { signal, atMs: performance.now() };
    log.info({ signal }, "stopping");
    void stop(signal);
  };
  const stop = async (signal: NodeJS.Signals) => {
    const service = await starting.catch(() => null);
    // Whoever started it reports a start that failed.
    if (!service) return;
    try {
      await service.stop(PATIENCE_MS[signal] ?? 0);
      log.info("stopped");
      process.exit(0);
    } catch (error) {
      log.error({ error }, "stopping failed");
      process.exit(1);
    }
  };
  process.on("SIGINT", heed);
  process.on("SIGTERM", heed);
}
