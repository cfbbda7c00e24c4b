import type { Flow } from "@parley/contract/flow";

/** Whether two documents say the same. A database may give fields back in another order, which means nothing. */
export function isSameFlow(one: Flow, other: Flow): boolean {
  return write(one) === write(other);
}

function write(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
