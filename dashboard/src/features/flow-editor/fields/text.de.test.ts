import { Flow, FlowNode } from "@parley/contract/flow";
import { FlowSettings } from "@parley/contract/flow-settings";
import { expect, test } from "vitest";
import { type FieldSpec, fieldsOf, kindsOf } from "./schema-fields.ts";
import { german } from "./text.de.tsx";

interface Listed {
  readonly subject: string;
  readonly pattern: string;
  readonly field: FieldSpec;
}

function listFields(subject: string, pattern: string, field: FieldSpec): readonly Listed[] {
  const inside = field.kind === "list" && field.of.kind === "group" ? field.of.fields : [];
  const below = field.kind === "group" ? field.fields : inside;
  const dot = field.kind === "list" ? "[]." : ".";
  return [
    { subject, pattern, field },
    ...below.flatMap((each) => listFields(subject, `${pattern}${dot}${each.name}`, each)),
  ];
}

const tools = fieldsOf(Flow).find(({ name }) => name === "tools");
const toolFields = tools?.kind === "list" && tools.of.kind === "group" ? tools.of.fields : [];
const ALL: readonly Listed[] = [
  // Sub-flows have a form with texts of its own.
  ...[...kindsOf(FlowNode)]
    .filter(([type]) => type !== "subflow")
    .flatMap(([type, schema]) => fieldsOf(schema).flatMap((field) => listFields(type, field.name, field))),
  ...fieldsOf(FlowSettings).flatMap((field) => listFields("settings", field.name, field)),
  ...toolFields.flatMap((field) => listFields("model_tool", field.name, field)),
];

test("every help text of the schema has a German one", () => {
  const english = ALL.filter(({ field }) => field.help !== null);
  expect(english.length).toBeGreaterThan(80);
  const left = english.filter(({ subject, pattern }) => german.helpOf(subject, pattern, "-") === "-");
  expect(left.map(({ subject, pattern }) => `${subject}:${pattern}`)).toEqual([]);
});

test("every choice of the schema has a German label", () => {
  const options = ALL.flatMap(({ field }) => (field.kind === "choice" ? field.options : []));
  expect(options.filter((option) => !/^[A-Z]+$/.test(option) && !(option in german.choices))).toEqual([]);
});
