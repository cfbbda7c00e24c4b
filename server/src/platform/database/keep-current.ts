import { type Clock, systemClock } from "@parley/time/clock";
import type { Listener } from "./listen.ts";

const RETRY_MS = 1000;

export interface KeepCurrentOptions<T> {
  readonly listener: Pick<Listener, "on" | "onReconnect">;
  /** The channel on which the database says that it changed. */
  readonly channel: string;
  read(): Promise<T>;
  /** It could not be reloaded; it is retried. */
  onTrouble(error: unknown): void;
  /** Default: the real one. */
  readonly clock?: Clock;
}

export interface KeptCurrent<T> {
  /** What was last read. The same object until something changed. */
  current(): T;
  /** Called after each change that was read. Returns the function that stops it. */
  onChange(listener: () => void): () => void;
  /** Reads again now, for a change that this process made itself. While the database is away it resolves without one. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Caches a value of the database in memory, so that reading it needs no query. It is reloaded when the database reports
 * a change, and when the notifying connection was lost meanwhile. While the database is away the last known value is
 * used.
 */
export async function keepCurrent<T>(options: KeepCurrentOptions<T>): Promise<KeptCurrent<T>> {
  const { listener, channel, read, onTrouble, clock = systemClock } = options;
  const listeners = new Set<() => void>();
  let isStale = false;
  let isBusy = true;
  let isClosed = false;
  let reading: Promise<void> = Promise.resolve();
  let cancelRetry: () => void = () => undefined;

  /** Reads until nothing was announced during the reading. */
  async function readAnew(): Promise<void> {
    isBusy = true;
    try {
      while (isStale && !isClosed) {
        isStale = false;
        const next = await read();
        if (isClosed || isSame(next, kept)) continue;
        kept = next;
        for (const each of listeners) each();
      }
    } catch (error) {
      onTrouble(error);
      if (!isClosed) cancelRetry = clock.setTimer(RETRY_MS, refresh);
    } finally {
      isBusy = false;
    }
  }
  function refresh(): void {
    isStale = true;
    cancelRetry();
    if (!isBusy && !isClosed) reading = readAnew();
  }

  const stops = [listener.on(channel, refresh), listener.onReconnect(refresh)];
  let kept: T;
  try {
    kept = await read();
  } catch (error) {
    for (const stop of stops) stop();
    throw error;
  }
  // What was announced during the first reading is read now.
  reading = readAnew();
  return {
    current: () => kept,
    onChange(each) {
      listeners.add(each);
      return () => listeners.delete(each);
    },
    async refresh() {
      refresh();
      await reading;
    },
    async close() {
      isClosed = true;
      cancelRetry();
      for (const stop of stops) stop();
      listeners.clear();
      await reading;
    },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
