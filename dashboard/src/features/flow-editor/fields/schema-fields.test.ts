import { FlowNode } from "@parley/contract/flow";
import { FlowSettings, PHRASE_NAMES } from "@parley/contract/flow-settings";
import { expect, test } from "vitest";
import { blankItem, blankValue, type FieldSpec, fieldsOf, kindsOf, type Schema } from "./schema-fields.ts";

const fieldsOfNode = (type: string) => fieldsOf(kindsOf(FlowNode).get(type) as Schema);
const named = (fields: readonly FieldSpec[], name: string) => fields.find((field) => field.name === name);

test("every kind of node in the contract has its fields", () => {
  expect([...kindsOf(FlowNode).keys()]).toEqual([
    "start",
    "say",
    "ask",
    "conversation",
    "branch",
    "tool",
    "set",
    "transfer",
    "dtmf",
    "subflow",
    "voicemail",
    "end",
  ]);
  expect(fieldsOfNode("dtmf").map(({ name }) => name)).toEqual(["id", "label", "position", "global", "keys", "next"]);
});

test("a field has its bounds, its options, whether it is optional, and the description of its schema", () => {
  const ask = fieldsOfNode("ask");
  expect(named(ask, "text")).toMatchObject({ kind: "text", charsMax: 2000, isRequired: true });
  expect(named(ask, "answer")).toMatchObject({ kind: "choice", isRequired: true });
  expect(named(ask, "patience")).toMatchObject({
    kind: "choice",
    options: ["quick", "normal", "patient"],
    isRequired: false,
    help: expect.stringContaining("How long the agent waits"),
  });
  const retries = named(ask, "retries");
  expect(retries?.kind === "group" ? named(retries.fields, "max") : null).toMatchObject({
    kind: "number",
    min: 0,
    max: 5,
    isWhole: true,
  });
});

test("lists, records and free JSON are distinguished", () => {
  const exits = named(fieldsOfNode("ask"), "exits");
  expect(exits).toMatchObject({ kind: "list", itemsMin: 0, itemsMax: 20, isRequired: false });
  expect(exits?.kind === "list" && exits.of.kind === "group" ? exits.of.fields.map(({ name }) => name) : null).toEqual([
    "when",
    "next",
    "phrases",
    "readBack",
    "key",
  ]);
  const request = named(fieldsOfNode("tool"), "request");
  const parts = request?.kind === "group" ? request.fields : [];
  expect(named(parts, "headers")).toMatchObject({ kind: "record", names: null });
  expect(named(parts, "body")).toMatchObject({ kind: "anything" });
  expect(named(fieldsOf(FlowSettings), "phrases")).toMatchObject({ kind: "record", names: PHRASE_NAMES });
});

test("a text for which null has a meaning is recognized", () => {
  expect(named(fieldsOf(FlowSettings), "disclosure")).toMatchObject({ kind: "text", takesNull: true });
  expect(named(fieldsOf(FlowSettings), "identification")).toMatchObject({ kind: "text", takesNull: false });
});

const TYPES = [...kindsOf(FlowNode).keys()];
const specNamed = (fields: readonly FieldSpec[], name: string) =>
  fields.find((field) => field.name === name) as FieldSpec;

/** A node of a type with all its fields switched on. */
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

test("an additional item of each list can be saved too", () => {
  for (const type of TYPES) {
    for (const field of fieldsOf(kindsOf(FlowNode).get(type) as Schema)) {
      if (field.kind !== "list") continue;
      const node = { ...fullNode(type), [field.name]: [blankItem(field, fullNode(type), [])] };
      expect(FlowNode.safeParse(node).error?.issues ?? []).toEqual([]);
    }
  }
});

test("an additional answer to a yes-or-no question is the missing one", () => {
  const exits = specNamed(fieldsOf(kindsOf(FlowNode).get("ask") as Schema), "exits");
  if (exits.kind !== "list") throw new Error("exits are a list");
  expect(blankItem(exits, { type: "ask", answer: "yes_no" }, [{ when: "yes" }])).toEqual({ when: "no" });
  expect(blankItem(exits, { type: "ask", answer: "choice" }, [{ when: "come" }])).toEqual({ when: "answer 2" });
});
