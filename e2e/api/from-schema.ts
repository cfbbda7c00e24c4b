import fc from "fast-check";

/** As much of JSON Schema as the OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
}

export interface Sources {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Existing values, by the name of the field: a made-up id would end every request at the same refusal. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
  /** How many valid values there are for each invalid one. */
  readonly rightPerWrong: number;
}

const ITEMS_MAX = 3;

const EXTREME = [
  ...[0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, -1e308, 5e-324],
  ...[
    "",
    " ",
    "\0",
    "\ud800",
    "\u202e",
    "null",
    "undefined",
    "NaN",
    "-1",
    "1e999",
    "'; drop table calls; --",
    "{{name}}",
  ],
  ...["x".repeat(3000), "\u{1f4a9}".repeat(300), "x".repeat(70_000), "../../etc/passwd", "%00"],
  ...[null, true, false, [], {}, [[]], [null], { "": "" }, { length: 1 }, { toJSON: 1 }, { $ref: "#" }],
];

/** What no field expects: wrong types, extreme numbers, huge and strange texts, odd keys. */
export const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...EXTREME),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.double(),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom("__proto__", "constructor", "a", "\0", "\udc00"), fc.string(), { maxKeys: 3 }),
);

/** Values of a schema, with occasional mistakes. */
export function fromSchema(schema: JsonSchema, sources: Sources, name = ""): fc.Arbitrary<unknown> {
  const known = sources.known[name];
  const right = known ? fc.constantFrom(...known) : rightValue(schema, sources);
  return fc.oneof({ weight: sources.rightPerWrong, arbitrary: right }, { weight: 1, arbitrary: wrongValue });
}

/** Values of a schema, valid at the top and with occasional mistakes further in. */
export function rightValue(schema: JsonSchema, sources: Sources): fc.Arbitrary<unknown> {
  if (schema.$ref) return rightValue(sources.components[schema.$ref.split("/").at(-1) ?? ""] ?? {}, sources);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return fc.oneof(...branches.map((branch) => rightValue(branch, sources)));
  if (schema.allOf) return rightValue(Object.assign({}, ...schema.allOf) as JsonSchema, sources);
  const types = [schema.type ?? "object"].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, sources)));
}

function ofType(type: string, schema: JsonSchema, sources: Sources): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return text(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case "number":
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(fromSchema(schema.items ?? {}, sources), {
        maxLength: Math.min(ITEMS_MAX, schema.maxItems ?? ITEMS_MAX),
      });
    default:
      return object(schema, sources);
  }
}

function text({ pattern, examples, minLength, maxLength }: JsonSchema): fc.Arbitrary<unknown> {
  if (examples) return fc.constantFrom(...examples);
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: "grapheme", minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 40, 40) });
}

function object(schema: JsonSchema, sources: Sources): fc.Arbitrary<unknown> {
  const entries = Object.entries(schema.properties ?? {});
  const fields = Object.fromEntries(entries.map(([name, inner]) => [name, fromSchema(inner, sources, name)]));
  const optional = Object.keys(fields).filter((name) => !schema.required?.includes(name));
  // Of many optional fields each may be refused on its own: a few at a time reach further than half of them.
  const chosen = fc.oneof(fc.subarray(optional, { maxLength: Math.min(2, optional.length) }), fc.subarray(optional));
  const record = fc
    .tuple(fc.record(fields), chosen)
    .map(([all, some]) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !optional.includes(name) || some.includes(name))),
    );
  const extra = schema.additionalProperties;
  if (typeof extra === "object") {
    const keys = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
    return fc.dictionary(keys, fromSchema(extra, sources), { maxKeys: ITEMS_MAX });
  }
  // A required field that is left out, or an undeclared one.
  const torn = fc.record({ whole: record, drop: fc.constantFrom("", ...Object.keys(fields)), add: fc.string() });
  return fc.oneof(
    { weight: sources.rightPerWrong, arbitrary: record },
    {
      weight: 1,
      arbitrary: torn.map(({ whole, drop, add }) =>
        Object.fromEntries([...Object.entries(whole).filter(([key]) => key !== drop), ...(drop ? [] : [[add, 1]])]),
      ),
    },
  );
}
