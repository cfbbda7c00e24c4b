import { FlowNode } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { shownPaths } from "../fields/field-paths.ts";
import { kindsOf } from "../fields/schema-fields.ts";
import { appliesToNode, fieldsOfNode } from "./node-inspector.tsx";

const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name);
const ask = (answer: string, more: object = {}) =>
  ({ id: "a", type: "ask", text: "?", answer, exits: [], ...more }) as FlowNode;

test("no field of a node is missing, and none is shown twice", () => {
  for (const [type, schema] of kindsOf(FlowNode)) {
    const { main, ways, manner } = fieldsOfNode({ type } as FlowNode);
    const shown = [...names(main), ...names(ways), ...names(manner), "id", "label", "position", "type"];
    const declared = Object.keys((schema._zod.def as { shape: object }).shape);
    expect(shown.toSorted()).toEqual(declared.toSorted());
  }
});

test("every field of every node is explained", () => {
  const unexplained = [...kindsOf(FlowNode).keys()].flatMap((type) => {
    const { main, manner } = fieldsOfNode({ type } as FlowNode);
    // The label says where a call continues.
    return [...main, ...manner].filter(({ help, kind }) => help === null && kind !== "group");
  });
  expect(names(unexplained)).toEqual([]);
});

test("a question shows only the fields of its kind of answer", () => {
  expect(appliesToNode(ask("number"), ["range"])).toBe(true);
  expect(appliesToNode(ask("yes_no"), ["range"])).toBe(false);
  expect(appliesToNode(ask("yes_no"), ["confirm"])).toBe(false);
  expect(appliesToNode(ask("choice"), ["exits", 0, "key"])).toBe(true);
  expect(appliesToNode(ask("free_text"), ["exits"])).toBe(false);
});

test("a field that does not apply is still shown while it has a value, so that it can be removed", () => {
  expect(appliesToNode(ask("yes_no", { range: { min: 1 } }), ["range"])).toBe(true);
  expect(appliesToNode(ask("free_text", { exits: [{ when: "yes" }] }), ["exits"])).toBe(true);
});

test("a branch shows its model only once a model judges something in it", () => {
  const branch = (more: object) => ({ id: "b", type: "branch", exits: [], ...more }) as FlowNode;
  expect(appliesToNode(branch({}), ["model"])).toBe(false);
  expect(appliesToNode(branch({ prompts: [{ when: "in a hurry" }] }), ["model"])).toBe(true);
  expect(appliesToNode(branch({ model: "openai/quick" }), ["model"])).toBe(true);
});

test("it is known at which fields a problem can be shown", () => {
  const node = ask("choice", { exits: [{ when: "come", phrases: ["yes"] }] });
  const { main, ways, manner } = fieldsOfNode(node);
  const paths = shownPaths([...main, ...ways, ...manner], node, (path) => appliesToNode(node, path));
  expect(paths).toContain("exits[0].phrases[0]");
  expect(paths).toContain("otherwise");
  expect(paths).not.toContain("retries.max");
  expect(paths).not.toContain("range");
});
