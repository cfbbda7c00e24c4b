export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

export interface TakenSchema {
  readonly schema: unknown;
  /** Everything that it refers to, as `$defs`. */
  readonly defs: Readonly<Record<string, unknown>>;
}

/** Takes one schema out of an OpenAPI document, with all that it refers to. */
export function takeSchema(openapi: OpenApiDocument, names: readonly string[]): TakenSchema {
  const all = openapi.components?.schemas ?? {};
  const name = names.find((each) => each in all);
  if (name === undefined) throw new Error(`The service describes no ${names.join(" or ")}.`);
  const used = new Map<string, unknown>();
  const take = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(take);
    if (schema === null || typeof schema !== "object") return schema;
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => takeEntry(key, value)));
  };
  const takeEntry = (key: string, value: unknown): [string, unknown] => {
    // `mapping` of a discriminator names schemas too, and JSON schema has none.
    const [, target] = /^#\/components\/schemas\/(.+)$/.exec(typeof value === "string" ? value : "") ?? [];
    if (target === undefined) return [key, take(value)];
    if (!used.has(target)) {
      used.set(target, null);
      used.set(target, take(all[target]));
    }
    return [key, `#/$defs/${target}`];
  };
  const schema = take({ $ref: `#/components/schemas/${name}` });
  return { schema, defs: Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
