import { FlowNode } from "@parley/contract/flow";
import { FlowSettings, PHRASE_NAMES } from "@parley/contract/flow-settings";
import { expect, test } from "vitest";
import { type FieldSpec, fieldsOf, kindsOf, type Schema } from "./schema-fields.ts";

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
    "voicemail",
    "end",
  ]);
  expect(fieldsOfNode("dtmf").map(({ name }) => name)).toEqual(["id", "label", "position", "global", "keys", "next"]);
});

test("a field knows its bounds, its choices, whether it may be left out, and what the schema says about it", () => {
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

test("lists, records and what is free to be anything are told apart", () => {
  const exits = named(fieldsOfNode("ask"), "exits");
  expect(exits).toMatchObject({ kind: "list", itemsMin: 0, itemsMax: 20, isRequired: false });
  expect(exits?.kind === "list" && exits.of.kind === "group" ? exits.of.fields.map(({ name }) => name) : null).toEqual([
    "when",
    "next",
    "phrases",
    "key",
  ]);
  const request = named(fieldsOfNode("tool"), "request");
  const parts = request?.kind === "group" ? request.fields : [];
  expect(named(parts, "headers")).toMatchObject({ kind: "record", names: null });
  expect(named(parts, "body")).toMatchObject({ kind: "anything" });
  expect(named(fieldsOf(FlowSettings), "phrases")).toMatchObject({ kind: "record", names: PHRASE_NAMES });
});

test("a text for which null means something of its own is known as such", () => {
  expect(named(fieldsOf(FlowSettings), "disclosure")).toMatchObject({ kind: "text", takesNull: true });
  expect(named(fieldsOf(FlowSettings), "identification")).toMatchObject({ kind: "text", takesNull: false });
});
