// SIP listens on a port and TLS on the next one, so every process takes a pair.
const PORTS_PER_PROCESS = 2;
// More call processes than this do not share a machine; a firewall needs a fixed end of the range.
const PROCESSES_MAX = 16;

/** The ports that processes on one machine take after each other, the first being the one that was set. */
function sipPortsFrom(firstPort: number): number[] {
  if (firstPort === 0) return [0];
  const ports = Array.from({ length: PROCESSES_MAX }, (_, index) => firstPort + index * PORTS_PER_PROCESS);
  return ports.filter((port) => port + 1 <= 65_535);
}

/** Opens on the first port that is free. Rejects when none is, or for any other reason. */
export async function openOnFreePort<T>(firstPort: number, open: (port: number) => Promise<T>): Promise<T> {
  for (const port of sipPortsFrom(firstPort)) {
    const opened = await openIfFree(port, open);
    if (opened !== null) return opened;
  }
  throw new Error(`None of the SIP ports from ${firstPort} on is free.`);
}

/** Null when another program has the port. */
export async function openIfFree<T>(port: number, open: (port: number) => Promise<T>): Promise<T | null> {
  try {
    return await open(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return null;
    throw error;
  }
}
