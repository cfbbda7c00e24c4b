import type { FieldSpec } from "./schema-fields.ts";
import { type FieldPath, valueAt, writePath } from "./set-at.ts";

/** Every path at which a form shows something, with the values it has now. */
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
