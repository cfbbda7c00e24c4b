import { isDeepStrictEqual } from "node:util";

/** What differs, by field, as the audit log shows it. */
export function describeChanges(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, to]) => !isDeepStrictEqual(old.get(field), to))
      .map(([field, to]) => [field, { from: old.get(field), to: to as unknown }]),
  );
}
