/** Whether two documents say the same. The order of fields says nothing, nor does a field without a value. */
export function isSameDocument(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [withValues(one), withValues(other)];
  return (
    left.size === right.size &&
    [...left].every(([name, value]) => right.has(name) && isSameDocument(value, right.get(name)))
  );
}

function withValues(holder: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(holder).filter(([, value]) => value !== undefined));
}
