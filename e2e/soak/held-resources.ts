import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What a process holds at one moment, as counted by the kernel and the engine and not by our own code. */
export interface HeldResources {
  /** Open sockets of UDP and TCP, those of every thread included. */
  readonly sockets: number;
  /** Timers and other things that keep the main thread's loop alive, by the names Node gives them. */
  readonly handles: Readonly<Record<string, number>>;
  /** After garbage collection. */
  readonly heapMiB: number;
  /** Audio memory outside the heap. */
  readonly bufferMiB: number;
}

const MIB = 1024 * 1024;
const SOCKET_TABLES = ["/proc/net/udp", "/proc/net/udp6", "/proc/net/tcp", "/proc/net/tcp6"];
/** What belongs to the programs we talk to, not to the calls: their pipes and processes. */
const OF_PEERS = new Set(["PipeWrap", "ProcessWrap", "TTYWrap"]);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

export function heldResources(): HeldResources {
  // What a finalizer releases in the first round is garbage only in the second.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return {
    sockets: countSockets(),
    handles: countHandles(),
    heapMiB: heapUsed / MIB,
    bufferMiB: (external + arrayBuffers) / MIB,
  };
}

function countHandles(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) {
    if (!OF_PEERS.has(name)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The pipes to child processes are sockets as well, so that only those count which the network's tables know. */
function countSockets(): number {
  const known = new Set(SOCKET_TABLES.flatMap(inodesOf));
  return readdirSync("/proc/self/fd").filter((name) => known.has(inodeOf(name))).length;
}

function inodesOf(table: string): string[] {
  return readFileSync(table, "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/)[9] ?? "");
}

/** A descriptor may be closed while it is inspected. */
function inodeOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).match(/^socket:\[(\d+)\]$/)?.[1] ?? "none";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "none";
    throw error;
  }
}
