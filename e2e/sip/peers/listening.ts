import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { FollowedProcess } from "./followed-process.ts";

const TABLES = { udp: ["/proc/net/udp", "/proc/net/udp6"], tcp: ["/proc/net/tcp", "/proc/net/tcp6"] } as const;
/** How the kernel writes LISTEN; a UDP socket that is bound is in state 07. */
const OPEN_STATE = { udp: "07", tcp: "0A" } as const;
const LOOK_EVERY_MS = 10;
const PATIENCE_MS = 45_000;

/**
 * Resolves when a program has opened this port. The kernel is queried and not the program, because a probing datagram
 * or connection would become part of its scenario.
 */
export async function untilListening(
  { exited, output }: Pick<FollowedProcess, "exited" | "output">,
  port: number,
  transport: "udp" | "tcp",
): Promise<void> {
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs && !hasExited; ) {
    if (await isListening(port, transport)) return;
    await setTimeout(LOOK_EVERY_MS);
  }
  throw new Error(`nothing listens on ${transport} port ${port}; the program said: ${output()}`);
}

async function isListening(port: number, transport: "udp" | "tcp"): Promise<boolean> {
  const place = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const table of TABLES[transport]) {
    const lines = (await readFile(table, "utf8")).split("\n").map((line) => line.trim().split(/\s+/));
    if (lines.some(([, local = "", , state]) => local.endsWith(place) && state === OPEN_STATE[transport])) return true;
  }
  return false;
}
