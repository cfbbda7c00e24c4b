/** Turns waiting for what never comes into a failure that says what was waited for. */
export async function within<Value>(
  promise: Promise<Value>,
  what: string | (() => string),
  timeoutMs = 45_000,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const awaited = typeof what === "string" ? what : what();
    late.reject(new Error(`${awaited} did not come within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
