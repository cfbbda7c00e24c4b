import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Every live process that works in the folder, was started from it or has it as an argument: the service, npm,
 * PostgreSQL.
 */
export function processesOf(folder: string): RunningProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const command = readProcessFile(name, "cmdline");
      const mentions = [readWorkingFolder(name), command, readProcessFile(name, "environ")];
      const isOfFolder = mentions.some((text) => text.includes(folder));
      return isOfFolder && !isZombie(name) ? [{ pid: Number(name), command: command.trim() }] : [];
    });
}

/** Every live process that this one started, and those that they started. */
export function descendantsOf(pid: number): RunningProcess[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && !isZombie(name))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/^PPid:\s+(\d+)/m.exec(readProcessFile(name, "status"))?.[1] ?? 0),
      command: readProcessFile(name, "cmdline").trim(),
    }));
  const below = (parent: number): RunningProcess[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid);
}

export function killProcesses(processes: readonly RunningProcess[]): void {
  for (const { pid } of processes) killIfThere(pid);
}

/** A process that ended in the meantime is fine. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function readProcessFile(pid: string, file: "cmdline" | "environ" | "status"): string {
  return ignoreGone(() => readFileSync(`/proc/${pid}/${file}`, "utf8").replaceAll("\0", " "));
}

function readWorkingFolder(pid: string): string {
  return ignoreGone(() => readlinkSync(`/proc/${pid}/cwd`));
}

function isZombie(pid: string): boolean {
  return /^State:\s+Z/m.test(readProcessFile(pid, "status"));
}

/** A process may end while it is looked at, and one of another account may not be looked at. */
function ignoreGone(read: () => string): string {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM") return "";
    throw error;
  }
}
