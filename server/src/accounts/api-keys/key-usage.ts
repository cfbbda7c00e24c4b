/** Remembers when keys were used, and writes it down now and then: never in the way of a request. */
export interface KeyUsage {
  record(keyId: string): void;
  /** Writes what is due. What cannot be written is kept for the next time. */
  flush(): Promise<void>;
  start(): void;
  /** Stops the timer and writes everything that is left, due or not. */
  stop(): Promise<void>;
}

export interface KeyUsageOptions {
  save(uses: ReadonlyMap<string, number>): Promise<void>;
  readonly nowMs: () => number;
  onError(error: unknown): void;
}

// A key's first use shows within seconds; after that a busy key costs one write a minute.
const LOOK_EVERY_MS = 5000;
const WRITE_EVERY_MS = 60_000;

export function createKeyUsage({ save, nowMs, onError }: KeyUsageOptions): KeyUsage {
  const pending = new Map<string, number>();
  const writtenAt = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let isRunning = false;
  let saving: Promise<void> = Promise.resolve();

  async function write(isDue: (keyId: string) => boolean): Promise<void> {
    const due = new Map([...pending].filter(([keyId]) => isDue(keyId)));
    if (due.size === 0) return;
    try {
      await save(due);
    } catch (error) {
      onError(error);
      return;
    }
    const doneMs = nowMs();
    for (const [keyId, usedMs] of due) {
      // A use that came in while the batch was on its way waits for the next one.
      if (pending.get(keyId) === usedMs) pending.delete(keyId);
      writtenAt.set(keyId, doneMs);
    }
  }

  function flushWhere(isDue: (keyId: string) => boolean): Promise<void> {
    saving = saving.then(() => write(isDue));
    return saving;
  }

  function flush(): Promise<void> {
    const beforeMs = nowMs() - WRITE_EVERY_MS;
    for (const [keyId, ms] of writtenAt) {
      if (ms <= beforeMs) writtenAt.delete(keyId);
    }
    return flushWhere((keyId) => !writtenAt.has(keyId));
  }

  function lookAgain(): void {
    if (!isRunning) return;
    timer = setTimeout(() => void flush().finally(lookAgain), LOOK_EVERY_MS);
    timer.unref();
  }

  return {
    record: (keyId) => void pending.set(keyId, nowMs()),
    flush,
    start() {
      if (isRunning) return;
      isRunning = true;
      lookAgain();
    },
    stop() {
      isRunning = false;
      if (timer) clearTimeout(timer);
      timer = null;
      return flushWhere(() => true);
    },
  };
}
