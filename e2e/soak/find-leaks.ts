import type { HeldResources } from "./held-resources.ts";
import type { SoakRound } from "./soak-run.ts";

/** What the engine itself may keep: compiled code, inline caches, the shape of its heap. */
const HEAP_SLACK_MIB = 4;
const BUFFER_SLACK_MIB = 2;
/**
 * The carrier remembers the last hundred thousand dials, so that none rings twice, and nothing else of a leg. A leaked
 * leg would take about 600 KiB of audio and 20 KiB of heap.
 */
const HEAP_PER_LEG_BYTES = 300;

/** Compares what was held after the warm-up with what is held now, and describes what was not released. */
export function findLeaks(
  rounds: readonly SoakRound[],
  beforeOpen: HeldResources,
  afterClose: HeldResources,
): string[] {
  const first = rounds[0];
  const last = rounds.at(-1);
  if (first === undefined || last === undefined) return ["there was no round to compare"];
  const legs = last.legs - first.legs;
  const heapMax = first.held.heapMiB + HEAP_SLACK_MIB + (legs * HEAP_PER_LEG_BYTES) / 2 ** 20;
  const leaks: string[] = [];
  if (last.held.sockets > first.held.sockets) {
    leaks.push(`${first.held.sockets} sockets became ${last.held.sockets} in ${legs} legs`);
  }
  if (Object.entries(last.held.handles).some(([name, count]) => count > (first.held.handles[name] ?? 0))) {
    leaks.push(`handles ${show(first.held.handles)} became ${show(last.held.handles)} in ${legs} legs`);
  }
  if (last.held.heapMiB > heapMax) {
    leaks.push(`${first.held.heapMiB.toFixed(1)} MiB of heap became ${last.held.heapMiB.toFixed(1)} in ${legs} legs`);
  }
  if (last.held.bufferMiB > first.held.bufferMiB + BUFFER_SLACK_MIB) {
    leaks.push(
      `${first.held.bufferMiB.toFixed(1)} MiB of buffers became ${last.held.bufferMiB.toFixed(1)} in ${legs} legs`,
    );
  }
  if (afterClose.sockets !== beforeOpen.sockets) {
    leaks.push(`${beforeOpen.sockets} sockets before the carrier opened, ${afterClose.sockets} after it closed`);
  }
  return leaks;
}

function show(handles: Readonly<Record<string, number>>): string {
  return JSON.stringify(handles);
}
