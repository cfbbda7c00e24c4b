import type { Clock } from "../clock.ts";

/** A clock for tests: its time passes only when the test lets it. */
export interface VirtualClock extends Clock {
  /** Lets time pass. Timers fire in order of their due time, and promises settle between one instant and the next. */
  advance(durationMs: number): Promise<void>;
  /** Lets time pass until the condition holds, up to the limit; returns whether it holds. */
  advanceUntil(isSo: () => boolean, limitMs: number): Promise<boolean>;
  /**
   * Lets time stand still until the promise settles, and passes its outcome on: for work that takes real time, such as
   * rendering speech, which then takes none here.
   */
  holdFor<Value>(work: Promise<Value>): Promise<Value>;
  pendingTimers(): number;
  /** How far away the next timer is, or null when there is none. */
  nextTimerInMs(): number | null;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly order: number;
  readonly fire: () => void;
  isCancelled: boolean;
}

export function createVirtualClock(startMs = 0): VirtualClock {
  let nowMs = startMs;
  let nextOrder = 0;
  let pending = 0;
  const heap: PendingTimer[] = [];
  const holds = new Set<Promise<unknown>>();

  /** Cancelled timers stay in the heap until they come first. */
  function earliest(): PendingTimer | null {
    while (heap[0]?.isCancelled) removeFirst(heap);
    return heap[0] ?? null;
  }

  function take(untilMs: number): PendingTimer | null {
    const first = earliest();
    if (first === null || first.dueMs > untilMs) return null;
    removeFirst(heap);
    return first;
  }

  /** Work that holds the clock may lead to more such work. */
  async function everythingSettles(): Promise<void> {
    await promisesSettle();
    while (holds.size > 0) {
      await Promise.allSettled(holds);
      await promisesSettle();
    }
  }

  async function runUntil(untilMs: number, isSo: () => boolean): Promise<boolean> {
    await everythingSettles();
    for (;;) {
      if (isSo()) return true;
      const next = take(untilMs);
      if (next === null) break;
      nowMs = Math.max(nowMs, next.dueMs);
      // Everything that is due at this instant fires before any promise settles.
      for (let due: PendingTimer | null = next; due !== null; due = take(nowMs)) {
        due.isCancelled = true;
        pending -= 1;
        due.fire();
      }
      await everythingSettles();
    }
    nowMs = Math.max(nowMs, untilMs);
    return isSo();
  }

  return {
    now: () => nowMs,
    setTimer(delayMs, fire) {
      const timer = { dueMs: nowMs + Math.max(0, delayMs), order: nextOrder, fire, isCancelled: false };
      nextOrder += 1;
      pending += 1;
      insert(heap, timer);
      return () => {
        if (!timer.isCancelled) pending -= 1;
        timer.isCancelled = true;
      };
    },
    async advance(durationMs) {
      await runUntil(nowMs + durationMs, () => false);
    },
    advanceUntil: (isSo, limitMs) => runUntil(nowMs + limitMs, isSo),
    async holdFor(work) {
      holds.add(work);
      try {
        return await work;
      } finally {
        holds.delete(work);
      }
    },
    pendingTimers: () => pending,
    nextTimerInMs() {
      const next = earliest();
      return next === null ? null : Math.max(0, next.dueMs - nowMs);
    },
  };
}

function isBefore(a: PendingTimer, b: PendingTimer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

function insert(heap: PendingTimer[], timer: PendingTimer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as PendingTimer;
    if (!isBefore(timer, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = timer;
}

function removeFirst(heap: PendingTimer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    const right = heap[child + 1];
    if (right !== undefined && isBefore(right, heap[child] as PendingTimer)) child += 1;
    const below = heap[child];
    if (below === undefined || !isBefore(below, last)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
}

/** One turn of the event loop runs every promise callback that is ready, however long their chain is. */
function promisesSettle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
