import { FlowNode } from "@parley/contract/flow";
import { FlowSettings } from "@parley/contract/flow-settings";
import { expect, test } from "vitest";
import { blankItem, blankValue } from "./blank-value.ts";
import { type FieldSpec, fieldsOf, kindsOf, type Schema } from "./schema-fields.ts";

const TYPES = [...kindsOf(FlowNode).keys()];
const named = (fields: readonly FieldSpec[], name: string) => fields.find((field) => field.name === name) as FieldSpec;

/** A node of a type with every field it can have switched on. */
function fullNode(type: string): Record<string, unknown> {
  const fields = fieldsOf(kindsOf(FlowNode).get(type) as Schema).filter(({ kind }) => kind !== "anything");
  return { ...Object.fromEntries(fields.map((field) => [field.name, blankValue(field)])), type };
}

test.each(TYPES)("whatever is switched on in a %s node, the draft can still be saved", (type) => {
  expect(FlowNode.safeParse(fullNode(type)).error?.issues ?? []).toEqual([]);
});

test("whatever is switched on in the settings, the draft can still be saved", () => {
  const settings = Object.fromEntries(fieldsOf(FlowSettings).map((field) => [field.name, blankValue(field)]));
  expect(FlowSettings.safeParse(settings).error?.issues ?? []).toEqual([]);
});

test("a further item of each list can be saved too", () => {
  for (const type of TYPES) {
    for (const field of fieldsOf(kindsOf(FlowNode).get(type) as Schema)) {
      if (field.kind !== "list") continue;
      const node = { ...fullNode(type), [field.name]: [blankItem(field, fullNode(type), [])] };
      expect(FlowNode.safeParse(node).error?.issues ?? []).toEqual([]);
    }
  }
});

test("a further answer to a yes-or-no question is the one that is missing", () => {
  const exits = named(fieldsOf(kindsOf(FlowNode).get("ask") as Schema), "exits");
  if (exits.kind !== "list") throw new Error("exits are a list");
  expect(blankItem(exits, { type: "ask", answer: "yes_no" }, [{ when: "yes" }])).toEqual({ when: "no" });
  expect(blankItem(exits, { type: "ask", answer: "choice" }, [{ when: "come" }])).toEqual({ when: "answer 2" });
});
