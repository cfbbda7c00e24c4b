/** Where something stands: names of fields and places in lists. */
export type FieldPath = readonly (string | number)[];

/** A path as the problems of a flow write it, such as `exits[1].when`. */
export function writePath(path: FieldPath): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    "",
  );
}

/** A path without places in lists, such as `exits[].when`: what all items of a list have in common. */
export function writePattern(path: FieldPath): string {
  return writePath(path).replaceAll(/\[\d+\]/g, "[]");
}

export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      inner !== null && typeof inner === "object" ? (inner as Record<string | number, unknown>)[part] : undefined,
    value,
  );
}

/** The value with something else at one place; nothing else is touched. `undefined` takes it out of its object or list. */
export function setAt(value: unknown, path: FieldPath, next: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return next;
  if (typeof part === "number") {
    const items = Array.isArray(value) ? [...(value as unknown[])] : [];
    const item = setAt(items[part], rest, next);
    if (item === undefined) items.splice(part, 1);
    else items[part] = item;
    return items;
  }
  const fields = { ...(value as Readonly<Record<string, unknown>> | undefined) };
  const field = setAt(fields[part], rest, next);
  if (field === undefined) delete fields[part];
  else fields[part] = field;
  return fields;
}
