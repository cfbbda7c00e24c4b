/** Whether this process can do its work now. */
export interface Readiness {
  /** Throws with the first reason why it cannot. */
  check(): Promise<void>;
  /** Adds something that must hold. It throws an error whose message is for operators. */
  add(check: () => Promise<void> | void): void;
  /** From now on it is not ready: it is about to end. */
  stop(): void;
}

/** Why a process is not ready, in words that may be shown to anyone. */
export class NotReady extends Error {
  override readonly name = "NotReady";
}

/** Probes at the same time share one check. */
export function createReadiness(): Readiness {
  const checks: (() => Promise<void> | void)[] = [];
  let isStopping = false;
  let pending: Promise<void> | null = null;

  async function checkAll(): Promise<void> {
    for (const check of checks) await check();
  }

  return {
    async check() {
      if (isStopping) throw new NotReady("the process is stopping");
      pending ??= checkAll().finally(() => {
        pending = null;
      });
      await pending;
    },
    add: (check) => void checks.push(check),
    stop() {
      isStopping = true;
    },
  };
}
