import type { Flow, FlowNode } from "@parley/contract/flow";
import { act, render } from "@testing-library/react";
import { useRef } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { addNode } from "../model/edit-flow.ts";
import { createEditorStore, type EditorStore } from "../model/editor-store.ts";
import { NODE_WIDTH, sizeOf } from "../model/layout/node-size.ts";
import type { Canvas } from "./canvas-elements.ts";
import { isInView, showWhole, useInView } from "./viewport.tsx";

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

const PANE = { width: 1000, height: 600 };
const SHIFTED = { flowToScreenPosition: ({ x, y }: { x: number; y: number }) => ({ x, y }) };

/** A pane of this size with a canvas that notes where it was moved. */
function openCanvas() {
  const moves: object[] = [];
  const moving = {
    ...SHIFTED,
    getZoom: () => 1,
    setCenter: async (x: number, y: number, { zoom }: { zoom: number }) => void moves.push({ centre: [x, y], zoom }),
    setViewport: async (to: object) => void moves.push(to),
  } as unknown as Canvas;
  return { moves, moving };
}

/** Nodes at these places, from left to right. */
function flowOf(...places: readonly number[]): Flow {
  const nodes = places.map((x, index): FlowNode => {
    const id = `node_${index}`;
    return index === 0
      ? { id, type: "start", position: { x, y: 0 } }
      : { id, type: "say", text: "Hello.", position: { x, y: 0 } };
  });
  return { schemaVersion: 1, variables: [], nodes };
}

function centreOf({ nodes }: Flow, index: number): readonly number[] {
  const node = nodes[index];
  if (!node) throw new Error("there is no such node");
  const { width, height } = sizeOf(node);
  return [(node.position?.x ?? 0) + width / 2, height / 2];
}

beforeEach(() => {
  document.body.innerHTML = "";
  const pane = document.createElement("div");
  pane.className = "flow-canvas";
  Object.defineProperties(pane, { clientWidth: { value: PANE.width }, clientHeight: { value: PANE.height } });
  document.body.append(pane);
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});

/** The widest flow that is shown whole: at half size it fills the pane, apart from the margin. */
const WIDEST = PANE.width / (0.5 * 1.16) - NODE_WIDTH;

test("the whole flow is shown as long as it is readable at half size", () => {
  const { moves, moving } = openCanvas();
  const flow = flowOf(0, Math.floor(WIDEST));
  showWhole(moving, flow);
  expect(moves).toEqual([
    { centre: [(Math.floor(WIDEST) + NODE_WIDTH) / 2, expect.any(Number)], zoom: expect.closeTo(0.5, 2) },
  ]);
  showWhole(moving, flowOf(0, 300));
  expect(moves[1]).toMatchObject({ zoom: 1 });
});

test("a larger flow is never shown below half size, but from its start", () => {
  const { moves, moving } = openCanvas();
  showWhole(moving, flowOf(0, Math.ceil(WIDEST) + 1));
  showWhole(moving, flowOf(0, 20_000));
  expect(moves).toEqual([
    { x: 48, y: expect.any(Number), zoom: 0.5 },
    { x: 48, y: expect.any(Number), zoom: 0.5 },
  ]);
});

test("a larger flow is shown around what is selected", () => {
  const { moves, moving } = openCanvas();
  const flow = flowOf(0, 9000, 20_000);
  showWhole(moving, flow, ["node_1"]);
  showWhole(moving, flow, ["node_2"]);
  // What is no longer there is not followed.
  showWhole(moving, flow, ["gone"]);
  expect(moves).toEqual([
    { centre: centreOf(flow, 1), zoom: 0.5 },
    { centre: centreOf(flow, 2), zoom: 0.5 },
    { x: 48, y: expect.any(Number), zoom: 0.5 },
  ]);
});

function Followed({ store, moving }: { readonly store: EditorStore; readonly moving: Canvas }) {
  const frame = useRef<HTMLDivElement>(null);
  useInView(store, { current: moving }, frame);
  return (
    <div
      ref={(element) => {
        frame.current = element;
        if (element) element.getBoundingClientRect = () => new DOMRect(0, 0, PANE.width, PANE.height);
      }}
    />
  );
}

test("a new node that was dropped half outside is brought into view, and one inside stays where it is", () => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  const { moves, moving } = openCanvas();
  const store = createEditorStore(flowOf(0));
  render(<Followed store={store} moving={moving} />);
  const drop = (x: number) =>
    act(() => {
      const added = addNode(store.getSnapshot().flow, "say", { x, y: 0 });
      store.edit(() => added.flow);
      store.selectNew(added.id);
    });
  drop(300);
  expect(moves).toEqual([]);
  drop(PANE.width - 40);
  expect(moves).toEqual([{ centre: centreOf(store.getSnapshot().flow, 2), zoom: 1 }]);
});
