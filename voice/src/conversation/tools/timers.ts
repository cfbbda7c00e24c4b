/** Time, as far as a conversation needs it: to notice that something takes long. */
export interface Timers {
  /** Runs `fire` once. Returns the function that cancels it, which is harmless afterwards. */
  setTimer(delayMs: number, fire: () => void): () => void;
}

export type Waited<Value> =
  | { readonly type: "done"; readonly value: Value }
  | { readonly type: "late" }
  | { readonly type: "aborted" };

/**
 * Waits for something that never rejects, but not longer than so many milliseconds and not beyond an abort. What is waited
 * for goes on. Nothing is left behind: the timer and the listener are gone when this is over.
 */
export async function waitFor<Value>(
  work: Promise<Value>,
  timers: Timers,
  limitMs: number | null,
  signal: AbortSignal,
): Promise<Waited<Value>> {
  if (signal.aborted) return { type: "aborted" };
  const other = Promise.withResolvers<Waited<Value>>();
  const cancel = limitMs === null ? () => undefined : timers.setTimer(limitMs, () => other.resolve({ type: "late" }));
  const onAbort = () => other.resolve({ type: "aborted" });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work.then((value) => ({ type: "done", value }) as const), other.promise]);
  } finally {
    cancel();
    signal.removeEventListener("abort", onAbort);
  }
}
