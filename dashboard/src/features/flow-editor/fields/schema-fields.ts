import type { FlowNode } from "@parley/contract/flow";
import { editorFieldsText } from "./text.tsx";

/** One field, as its schema declares it. */
export type FieldSpec = FieldFacts & FieldKind;

interface FieldFacts {
  /** Its name in the document; empty for an item of a list. */
  readonly name: string;
  /** The description of the schema, with code between backticks. */
  readonly help: string | null;
  readonly isRequired: boolean;
  /** Whether `null` has a meaning. */
  readonly takesNull: boolean;
}

export type FieldKind =
  | {
      readonly kind: "text";
      readonly charsMin: number;
      readonly charsMax: number | null;
      readonly patterns: readonly RegExp[];
    }
  | {
      readonly kind: "number";
      readonly min: number | null;
      readonly max: number | null;
      readonly isWhole: boolean;
    }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "list"; readonly of: FieldSpec; readonly itemsMin: number; readonly itemsMax: number | null }
  | { readonly kind: "group"; readonly fields: readonly FieldSpec[] }
  /** Names, each with a value of one kind. `names` are the allowed ones, null if any is. */
  | { readonly kind: "record"; readonly names: readonly string[] | null; readonly of: FieldSpec }
  | { readonly kind: "anything" };

/** The part of a schema that is read here: the package that creates them is internal to the contract. */
export interface Schema {
  readonly _zod: { readonly def: object };
  meta(): { readonly description?: string | undefined } | undefined;
}

interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly entries?: Readonly<Record<string, string>>;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly values?: readonly unknown[];
  readonly options?: readonly Schema[];
  readonly format?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: object } }[];
}

/** One constraint on a value. */
interface Check {
  readonly check: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
  readonly pattern?: RegExp;
}

/** The fields of an object, in the order of the schema. Constants are not fields. */
export function fieldsOf(schema: Schema): FieldSpec[] {
  return Object.entries(definitionOf(schema).shape ?? {})
    .filter(([, field]) => definitionOf(field).type !== "literal")
    .map(([name, field]) => fieldOf(name, field));
}

/** Several kinds of object that differ by the constant `type`, by that constant. */
export function kindsOf(union: Schema): ReadonlyMap<string, Schema> {
  return new Map(
    (definitionOf(union).options ?? []).map((option) => {
      const constant = definitionOf(option).shape?.["type"];
      return [String(constant ? definitionOf(constant).values?.[0] : ""), option];
    }),
  );
}

function fieldOf(name: string, schema: Schema): FieldSpec {
  let inner = schema;
  let help = schema.meta()?.description ?? null;
  let isRequired = true;
  let takesNull = false;
  for (let { type, innerType } = definitionOf(inner); innerType; { type, innerType } = definitionOf(inner)) {
    if (type === "optional" || type === "default" || type === "prefault") isRequired = false;
    if (type === "nullable") takesNull = true;
    inner = innerType;
    help ??= inner.meta()?.description ?? null;
  }
  return { name, help, isRequired, takesNull, ...kindOf(inner) };
}

function kindOf(schema: Schema): FieldKind {
  const { type, element, entries, keyType, valueType, format } = definitionOf(schema);
  const checks = checksOf(schema);
  const of = (name: string) => checks.find(({ check }) => check === name);
  switch (type) {
    case "string":
      return {
        kind: "text",
        charsMin: of("min_length")?.minimum ?? 0,
        charsMax: of("max_length")?.maximum ?? null,
        patterns: checks.flatMap(({ pattern }) => (pattern ? [pattern] : [])),
      };
    case "number":
      return {
        kind: "number",
        min: of("greater_than")?.value ?? null,
        max: of("less_than")?.value ?? null,
        isWhole: format === "safeint",
      };
    case "boolean":
      return { kind: "flag" };
    case "enum":
      return { kind: "choice", options: Object.values(entries ?? {}) };
    case "array":
      return element
        ? {
            kind: "list",
            of: fieldOf("", element),
            itemsMin: of("min_length")?.minimum ?? 0,
            itemsMax: of("max_length")?.maximum ?? null,
          }
        : { kind: "anything" };
    case "object":
      return { kind: "group", fields: fieldsOf(schema) };
    case "record":
      return valueType
        ? { kind: "record", names: keyType ? namesIn(keyType) : null, of: fieldOf("", valueType) }
        : { kind: "anything" };
    default:
      return { kind: "anything" };
  }
}

function checksOf(schema: Schema): readonly Check[] {
  return (definitionOf(schema).checks ?? []).map(({ _zod }) => _zod.def as Check);
}

function namesIn(keys: Schema): readonly string[] | null {
  const { type, entries } = definitionOf(keys);
  return type === "enum" ? Object.values(entries ?? {}) : null;
}

function definitionOf(schema: Schema): Definition {
  return schema._zod.def as Definition;
}

/**
 * The initial value of a field: the minimum that the schema accepts, because a draft with anything else could not be
 * saved.
 */
export function blankValue(field: FieldSpec): unknown {
  switch (field.kind) {
    case "text":
      // A required text is a name.
      return field.charsMin > 0 || field.patterns.length > 0 ? "value" : "";
    case "number":
      return clamp(STARTS.get(field.name) ?? 1, field.min, field.max);
    case "flag":
      return true;
    case "choice":
      return field.options[0] ?? "";
    case "list":
      return Array.from({ length: field.itemsMin }, () => blankValue(field.of));
    case "group":
      return Object.fromEntries(
        field.fields.filter(({ isRequired }) => isRequired).map((inner) => [inner.name, blankValue(inner)]),
      );
    case "record":
      return {};
    case "anything":
      return null;
  }
}

/** A new item of a list: an additional answer to a question is one that its kind of answer allows. */
export function blankItem(
  list: FieldSpec & { readonly kind: "list" },
  whole: unknown,
  items: readonly unknown[],
): unknown {
  const blank = blankValue(list.of);
  const node = whole as Partial<FlowNode>;
  if (list.name !== "exits" || node.type !== "ask") return blank;
  const taken = new Set(items.map((item) => (item as { readonly when: string }).when.trim().toLowerCase()));
  const candidates = ANSWERS[node.answer ?? "choice"] ?? [];
  const when = candidates.find((candidate) => !taken.has(candidate)) ?? editorFieldsText.newAnswer(items.length + 1);
  return { ...(blank as object), when };
}

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  yes_no: ["yes", "no"],
  number: ["1", "2", "3", "4", "5"],
  time: ["09:00", "12:00", "15:00", "18:00"],
  digits: ["1", "2", "3", "4", "5"],
};

/** Most agents ask a question that was not understood twice more. */
const STARTS: ReadonlyMap<string, number> = new Map([["max", 2]]);

function clamp(value: number, min: number | null, max: number | null): number {
  return Math.min(max ?? value, Math.max(min ?? value, value));
}
