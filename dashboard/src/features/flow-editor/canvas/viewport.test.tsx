import type { FlowNode } from "@parley/contract/flow";
import { expect, test } from "vitest";
import { NODE_WIDTH } from "../model/node-size.ts";
import { isInView } from "./viewport.tsx";

const canvas = { flowToScreenPosition: ({ x, y }: { x: number; y: number }) => ({ x: x + 100, y: y + 50 }) };
const node = (x: number, y: number): FlowNode =>
  ({ id: "a", type: "say", text: "Hello.", position: { x, y } }) as FlowNode;
const screen = { left: 100, top: 50, right: 900, bottom: 650 };

test("a node is in view only when all of it is", () => {
  expect(isInView(canvas, node(0, 0), screen)).toBe(true);
  expect(isInView(canvas, node(-1, 0), screen)).toBe(false);
  expect(isInView(canvas, node(800 - NODE_WIDTH, 0), screen)).toBe(true);
  expect(isInView(canvas, node(801 - NODE_WIDTH, 0), screen)).toBe(false);
  expect(isInView(canvas, node(0, 599), screen)).toBe(false);
});

test("a node below the small map of the flow is not in view", () => {
  const map = { left: 740, top: 530, right: 884, bottom: 634 };
  expect(isInView(canvas, node(0, 400), screen, map)).toBe(true);
  expect(isInView(canvas, node(800 - NODE_WIDTH, 400), screen, map)).toBe(false);
  expect(isInView(canvas, node(800 - NODE_WIDTH, 0), screen, map)).toBe(true);
});
