import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { openingLine } from "./first-steps.tsx";

const flowOf = (...nodes: Flow["nodes"]): Flow => ({ ...EMPTY_FLOW, nodes });

test("the first words of an agent are those of the first step that speaks", () => {
  const flow = flowOf(
    { id: "bye", type: "end", text: "Goodbye." },
    { id: "start", type: "start", next: "note" },
    { id: "note", type: "set", set: [], next: "hello" } as unknown as Flow["nodes"][number],
    { id: "hello", type: "say", text: "Hello {{name}}.", next: "bye" },
  );
  expect(openingLine(flow)).toBe("Hello {{name}}.");
});

test("a flow with a cycle or a dead end has no first words, and does not hang the page", () => {
  expect(openingLine(flowOf())).toBeNull();
  const circle = flowOf({ id: "start", type: "start", next: "a" }, {
    id: "a",
    type: "set",
    set: [],
    next: "start",
  } as unknown as Flow["nodes"][number]);
  expect(openingLine(circle)).toBeNull();
});
