import type { FlowNode } from "@parley/contract/flow";
import type { NodeNumber } from "@parley/contract/node-numbers";
import { expect, test } from "vitest";
import { toSteps } from "./node-steps.ts";

const NODES = [
  { id: "bye", type: "end", text: "Goodbye." },
  { id: "help", type: "say", text: "Ask me.", global: { phrases: ["help"], returns: true } },
  { id: "coming", type: "ask", label: "Are you coming?", text: "Will you come?", answer: "yes_no" },
  { id: "hello", type: "say", text: "Hello.", next: "coming" },
  { id: "start", type: "start", next: "hello" },
  { id: "check", type: "subflow", exits: [{ next: "bye" }] },
].map((node) =>
  node.id === "coming"
    ? {
        ...node,
        exits: [
          { when: "yes", next: "check" },
          { when: "no", next: "bye" },
        ],
        otherwise: "bye",
      }
    : node,
) as unknown as FlowNode[];

const number = (nodeId: string, calls: number, more: Partial<NodeNumber> = {}): NodeNumber => ({
  ...{ nodeId, calls, visits: calls, hangUps: 0, notUnderstood: 0, medianMs: 1000 },
  ...more,
});

test("nodes are in the order in which calls reach them, whatever their order in the flow", () => {
  const ids = toSteps({ nodes: NODES }, []).map(({ id }) => id);
  expect(ids).toEqual(["hello", "coming", "check", "bye", "help"]);
});

test("nodes inside a sub-flow follow it, and nodes that this version does not have come last", () => {
  const numbers = [number("start", 9), number("gone", 9), number("hello", 8), number("check__birth_date", 3)];
  const steps = toSteps({ nodes: NODES }, numbers).map(({ title, kind, calls }) => [title, kind, calls]);
  expect(steps).toEqual([
    ["Hello", "Say", 8],
    ["Are you coming?", "Ask", 0],
    ["Check", "Sub-flow", 0],
    ["Check › Birth date", null, 3],
    ["Bye", "End", 0],
    ["Help", "Say", 0],
    ["gone", null, 9],
  ]);
});

test("a step has its visits, hang-ups and time; where calls end anyway there is no drop-off, and only questions are misunderstood", () => {
  const numbers = [
    number("coming", 10, { visits: 12, hangUps: 3, notUnderstood: 4, medianMs: 6500 }),
    number("bye", 7, { hangUps: 2 }),
  ];
  const steps = new Map(toSteps({ nodes: NODES }, numbers).map((step) => [step.id, step]));
  expect(steps.get("coming")).toMatchObject({ calls: 10, visits: 12, hangUps: 3, notUnderstood: 4, medianMs: 6500 });
  expect(steps.get("bye")).toMatchObject({ calls: 7, hangUps: null, notUnderstood: null });
  expect(steps.get("hello")).toMatchObject({ calls: 0, hangUps: 0, notUnderstood: null, medianMs: null });
});
