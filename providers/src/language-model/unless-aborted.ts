/**
 * Waits for work, but no longer than until the signal aborts: then it rejects with the reason immediately, whether or
 * not the work observes the signal. A later result of the work is dropped.
 */
export function unlessAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const onAbort = () => reject(signal.reason);
  const release = () => signal.removeEventListener("abort", onAbort);
  signal.addEventListener("abort", onAbort, { once: true });
  work.then(
    (value) => {
      release();
      resolve(value);
    },
    (error: unknown) => {
      release();
      reject(error);
    },
  );
  if (signal.aborted) onAbort();
  return promise;
}
