import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/** What PostgreSQL writes about itself in its `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  readonly status: "starting" | "stopping" | "ready" | "standby" | undefined;
}

const pidLine = 0;
const statusLine = 7;
const statuses = ["starting", "stopping", "ready", "standby"] as const;

/** The lines after the first appear one by one while PostgreSQL starts. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const pid = Number(lines[pidLine]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, status: statuses.find((status) => status === lines[statusLine]?.trim()) };
}

/**
 * Whether the process is the postmaster of this very cluster. A process number is re-used after a crash or a reboot, also
 * by the postmaster of another cluster, so the command line must name our data directory. Backends rewrite theirs to
 * `postgres: ...` and an unreaped dead process has none, so neither is mistaken for it.
 */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  const [program, ...args] = process.platform === "linux" ? readProcArguments(pid) : readPsArguments(pid, cluster);
  return program !== undefined && basename(program) === "postgres" && args.includes(cluster);
}

/**
 * Cheap enough to ask twice a second. An unreaped dead process still answers signals but has no command line. When the
 * question itself fails, as when this process has no file descriptor left, the process counts as running.
 */
export function isProcessRunning(pid: number): boolean {
  if (process.platform !== "linux" || !answersSignals(pid)) return answersSignals(pid);
  try {
    return readProcArguments(pid).length > 0;
  } catch {
    return true;
  }
}

/**
 * PostgreSQL refuses to start while the process number in a left-behind `postmaster.pid` is that of any process it may
 * signal, whatever that process is. Removing the file is safe when the process is not our postmaster: a surviving backend
 * of the old one still keeps PostgreSQL from starting through the shared memory it holds.
 */
export function removeStalePostmasterFile(cluster: string): number | undefined {
  const file = readPostmasterFile(cluster);
  if (file === undefined || !answersSignals(file.pid) || isPostmasterOf(file.pid, cluster)) return undefined;
  rmSync(join(cluster, "postmaster.pid"), { force: true });
  return file.pid;
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readProcArguments(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return [];
    throw error;
  }
}

/** `ps` joins the arguments with spaces, so the data directory is looked for as a whole. */
function readPsArguments(pid: number, cluster: string): string[] {
  const ps = spawnSync("/bin/ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  if (ps.error !== undefined) throw ps.error;
  const [program, ...rest] = ps.stdout.trim().split(" -D ");
  return program === undefined
    ? []
    : [program, ...(rest.some((text) => startsWithPath(text, cluster)) ? [cluster] : [])];
}

function startsWithPath(text: string, path: string): boolean {
  return text === path || text.startsWith(`${path} `);
}
