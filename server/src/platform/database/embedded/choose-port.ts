import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ranges from which Linux (32768) and macOS (49152) pick local ports of outgoing connections, so that the port
 * is still free when PostgreSQL restarts after a crash.
 */
const lowestPort = 15_000;
const highestPort = 30_000;
const attemptsMax = 200;

export async function choosePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(lowestPort, highestPort);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port for PostgreSQL between ${lowestPort} and ${highestPort} on 127.0.0.1.`);
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    });
    probe.listen({ host: "127.0.0.1", port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
