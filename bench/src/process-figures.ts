import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU seconds a process has used, all its threads, by the kernel's account. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The same of a process and its descendants that still run. */
export function treeCpuSeconds(rootPid: number): number {
  return treeOf(rootPid).reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

/** Memory a process and its descendants hold, shared pages counted by their share. */
export function treeMemoryMiB(rootPid: number): number {
  return treeOf(rootPid).reduce((sum, pid) => sum + heldMiB(pid, /^Pss:\s+(\d+) kB/gm), 0);
}

/**
 * Memory that a process and its descendants have taken for themselves, swapped out or not. Pages of files, such as
 * programs and weights, do not count: how many are resident or shared depends on what else the machine does.
 */
export function treeOwnMemoryMiB(rootPid: number): number {
  return treeOf(rootPid).reduce((sum, pid) => sum + heldMiB(pid, /^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB/gm), 0);
}

function treeOf(rootPid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  const isBelow = (pid: number): boolean =>
    pid === rootPid || (parents.has(pid) && pid > 1 && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isBelow);
}

/** The sum of some lines of the kernel's account of a process. */
function heldMiB(pid: number, lines: RegExp): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return [...rollup.matchAll(lines)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1024;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

/** The process has ended: before its file was opened, or before it was read. */
function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ESRCH";
}
