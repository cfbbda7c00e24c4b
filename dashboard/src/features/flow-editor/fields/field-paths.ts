import type { FieldSpec } from "./schema-fields.ts";

/** A location: names of fields and indexes in lists. */
export type FieldPath = readonly (string | number)[];

/** A path as the problems of a flow write it, such as `exits[1].when`. */
export function writePath(path: FieldPath): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    "",
  );
}

/** The path that a problem of a flow names, such as `nodes[2].exits[1].when`. */
export function readPath(path: string): FieldPath {
  return [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
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

/** The value with one place replaced; nothing else is touched. `undefined` removes it from its object or list. */
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

/** Every path at which a form shows something, given its current values. */
export function shownPaths(
  fields: readonly FieldSpec[],
  value: unknown,
  applies: (path: FieldPath) => boolean,
): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (inside: readonly FieldSpec[], whole: unknown, below: FieldPath): void => {
    for (const field of inside) {
      const path = [...below, field.name];
      if (applies(path)) visit(field, path, valueAt(whole, [field.name]));
    }
  };
  const visit = (field: FieldSpec, path: FieldPath, inner: unknown): void => {
    found.add(writePath(path));
    if (field.kind === "group" && (inner !== undefined || field.isRequired)) walk(field.fields, inner, path);
    if (field.kind === "list" && Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) visit(field.of, [...path, index], item);
    }
    if (field.kind === "record" && inner !== null && typeof inner === "object") {
      for (const name of Object.keys(inner)) found.add(writePath([...path, name]));
    }
  };
  walk(fields, value, []);
  return found;
}
