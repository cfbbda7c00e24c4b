import type { SoakReport } from "./soak-run.ts";

const SHOWN_MAX = 60;

/** The report as lines: what was held after each round, how the legs ended, what was wrong, and a closing line. */
export function printReport({ seed, legs, seconds, causes, refusals, rounds, violations }: SoakReport): string[] {
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  return [
    "after legs  sockets  heap MiB  buffers MiB  handles",
    ...rounds.map(({ legs: after, held }) =>
      [
        String(after).padStart(10),
        String(held.sockets).padStart(8),
        held.heapMiB.toFixed(2).padStart(9),
        held.bufferMiB.toFixed(2).padStart(12),
        ` ${list(held.handles)}`,
      ].join(" "),
    ),
    `legs ended as: ${list(causes)}`,
    `refused: ${list(refusals)}`,
    ...violations.slice(0, SHOWN_MAX).map((violation) => `VIOLATION: ${violation}`),
    ...(violations.length > SHOWN_MAX ? [`and ${violations.length - SHOWN_MAX} more`] : []),
    `soak: ${legs} legs in ${seconds.toFixed(0)} s, ${violations.length === 0 ? "nothing left behind" : `${violations.length} VIOLATIONS`} (seed ${seed})`,
  ];
}
