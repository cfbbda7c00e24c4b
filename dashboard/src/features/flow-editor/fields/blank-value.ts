import type { FlowNode } from "@parley/contract/flow";
import type { FieldSpec } from "./schema-fields.ts";

/**
 * What stands in a field that was just opened: as little as the schema takes, because a draft with anything else in it
 * could not be saved.
 */
export function blankValue(field: FieldSpec): unknown {
  switch (field.kind) {
    case "text":
      // What must not be empty is a name or a word.
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

/** A new item of a list: a further answer to a question is one that its kind of answer can have. */
export function blankItem(
  list: FieldSpec & { readonly kind: "list" },
  whole: unknown,
  items: readonly unknown[],
): unknown {
  const blank = blankValue(list.of);
  const node = whole as Partial<FlowNode>;
  if (list.name !== "exits" || node.type !== "ask") return blank;
  const taken = new Set(items.map((item) => (item as { readonly when: string }).when.trim().toLowerCase()));
  const wishes = ANSWERS[node.answer ?? "choice"] ?? [];
  const when = wishes.find((wish) => !taken.has(wish)) ?? `answer ${items.length + 1}`;
  return { ...(blank as object), when };
}

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  yes_no: ["yes", "no"],
  number: ["1", "2", "3", "4", "5"],
  time: ["09:00", "12:00", "15:00", "18:00"],
  digits: ["1", "2", "3", "4", "5"],
};

/** A question that is not understood is asked twice more in most agents. */
const STARTS: ReadonlyMap<string, number> = new Map([["max", 2]]);

function clamp(value: number, min: number | null, max: number | null): number {
  return Math.min(max ?? value, Math.max(min ?? value, value));
}
