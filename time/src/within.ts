import type { Timers } from "./clock.ts";

/**
 * The outcome of the work, or what `onLate` returns or throws when the time is over first. The work continues; its
 * later outcome, even a failure, is ignored. The timer is gone when this settles.
 */
export async function within<Value, Late>(
  timers: Timers,
  limitMs: number,
  work: Promise<Value>,
  onLate: () => Late,
): Promise<Value | Late> {
  const waited = await waitFor(timers, limitMs, work);
  return waited.type === "done" ? waited.value : onLate();
}

export type Waited<Value> =
  | { readonly type: "done"; readonly value: Value }
  | { readonly type: "late" }
  | { readonly type: "aborted" };

/**
 * Waits for work until the time is over (null: no limit) or the signal is aborted, and says which came first. Rejects only
 * when the work fails before that. The work continues; the timer and the listener are gone when this settles.
 */
export async function waitFor<Value>(
  timers: Timers,
  limitMs: number | null,
  work: Promise<Value>,
  signal?: AbortSignal,
): Promise<Waited<Value>> {
  if (signal?.aborted) {
    work.catch(() => undefined);
    return { type: "aborted" };
  }
  const stopped = Promise.withResolvers<Waited<Value>>();
  const cancel = limitMs === null ? () => undefined : timers.setTimer(limitMs, () => stopped.resolve({ type: "late" }));
  const onAbort = () => stopped.resolve({ type: "aborted" });
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work.then((value) => ({ type: "done", value }) as const), stopped.promise]);
  } finally {
    cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Resolves when the time is over, or as soon as the signal is aborted. */
export async function pause(timers: Timers, delayMs: number, signal?: AbortSignal): Promise<void> {
  await waitFor(timers, delayMs, new Promise<never>(() => undefined), signal);
}
