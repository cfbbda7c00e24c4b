import type { Flow } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { isSameFlow } from "./same-flow.ts";

const flow = (text: string, isTurned = false): Flow => ({
  ...(isTurned ? { variables: [], schemaVersion: 1 } : { schemaVersion: 1, variables: [] }),
  nodes: [isTurned ? { text, type: "say", id: "hello" } : { id: "hello", type: "say", text }],
});

test("a draft that comes back with its fields in another order is the same draft", () => {
  expect(isSameFlow(flow("Hello."), flow("Hello.", true))).toBe(true);
});

test("another word is another draft", () => {
  expect(isSameFlow(flow("Hello."), flow("Good day."))).toBe(false);
});
