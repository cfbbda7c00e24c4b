import type { Flow, FlowNode } from "@parley/contract/flow";
import { type RefObject, useEffect } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { sizeOf } from "../model/node-size.ts";
import type { Canvas } from "./canvas-elements.ts";

/** Up to this size a whole flow is readable at once. */
const READABLE_ZOOM = 0.5;

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The space all nodes take. They need not be drawn for it. */
export function boundsOf({ nodes }: Flow): Bounds | null {
  if (nodes.length === 0) return null;
  const boxes = nodes.map((node) => ({ ...(node.position ?? { x: 0, y: 0 }), ...sizeOf(node) }));
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The offset of a flow from the upper left corner of a pane of this height. */
const LEFT = 48;
const TOP_PART = 0.35;

/** A pane that is lower is still being laid out. */
const PANE_HEIGHT_MIN = 100;

/** Shows the whole flow, or its beginning if the whole would be smaller than this. */
export function showAtOpening(canvas: Canvas, flow: Flow, zoomMin = READABLE_ZOOM): void {
  const pane = document.querySelector(".flow-canvas");
  if (pane !== null && pane.clientHeight < PANE_HEIGHT_MIN) {
    onceLaidOut(pane, () => showAtOpening(canvas, flow, zoomMin));
    return;
  }
  const bounds = boundsOf(flow);
  if (!bounds) {
    void canvas.setViewport({ x: 80, y: 120, zoom: 1 });
    return;
  }
  showWhole(canvas, flow, 0);
  if (canvas.getZoom() >= zoomMin) {
    if (canvas.getZoom() > 1)
      void canvas.setCenter(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2, { zoom: 1 });
    return;
  }
  const start = flow.nodes.find(({ type }) => type === "start") ?? flow.nodes[0];
  const zoom = 0.8;
  void canvas.setViewport({
    x: LEFT - (start?.position?.x ?? 0) * zoom,
    y: (pane?.clientHeight ?? 600) * TOP_PART - (start?.position?.y ?? 0) * zoom,
    zoom,
  });
}

function onceLaidOut(pane: Element, show: () => void): void {
  const observer = new ResizeObserver(() => {
    if (pane.clientHeight < PANE_HEIGHT_MIN) return;
    observer.disconnect();
    show();
  });
  observer.observe(pane);
}

/** Long enough to follow; immediate for users who prefer reduced motion. */
const wayMs = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250);

export function showWhole(canvas: Canvas, flow: Flow, durationMs = wayMs()): void {
  const bounds = boundsOf(flow);
  if (bounds) void canvas.fitBounds(bounds, { padding: 0.12, duration: durationMs });
}

/** The part of the window that shows the canvas. */
interface Screen {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Whether a node is fully visible, apart from what covers the canvas. */
export function isInView(
  canvas: Pick<Canvas, "flowToScreenPosition">,
  node: FlowNode,
  { left, top, right, bottom }: Screen,
  over?: Screen,
): boolean {
  const { x, y } = node.position ?? { x: 0, y: 0 };
  const { width, height } = sizeOf(node);
  const from = canvas.flowToScreenPosition({ x, y });
  const to = canvas.flowToScreenPosition({ x: x + width, y: y + height });
  if (over && from.x < over.right && to.x > over.left && from.y < over.bottom && to.y > over.top) return false;
  return from.x >= left && from.y >= top && to.x <= right && to.y <= bottom;
}

/** Centres a node. */
export function showNode(canvas: Canvas, node: FlowNode, zoom = canvas.getZoom()): void {
  const { x, y } = node.position ?? { x: 0, y: 0 };
  const { width, height } = sizeOf(node);
  void canvas.setCenter(x + width / 2, y + height / 2, { zoom, duration: wayMs() });
}

/**
 * Keeps in view the current node of a try, the focused node, and the selected node when the side panel makes the canvas
 * narrower.
 */
export function useInView(store: EditorStore, canvas: RefObject<Canvas | null>, frame: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const bring = (nodeId: string | null | undefined) => {
      const node = store.getSnapshot().flow.nodes.find(({ id }) => id === nodeId);
      if (!node || !canvas.current) return;
      const screen: Screen = element.getBoundingClientRect();
      const map = element.querySelector(".react-flow__panel [role=img]")?.getBoundingClientRect();
      if (!isInView(canvas.current, node, screen, map)) showNode(canvas.current, node);
    };
    let activeNodeId = store.getSnapshot().activeNodeId;
    const unsubscribe = store.subscribe(() => {
      const now = store.getSnapshot().activeNodeId;
      if (now !== activeNodeId) bring(now);
      activeNodeId = now;
    });
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      const { activeNodeId: active, selection } = store.getSnapshot();
      if (element.clientWidth < width) bring(active ?? (selection.length === 1 ? selection[0] : null));
      width = element.clientWidth;
    });
    observer.observe(element);
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(".react-flow__node:focus-visible"))
        bring(target.dataset["id"]);
    };
    element.addEventListener("focusin", onFocus);
    return () => {
      element.removeEventListener("focusin", onFocus);
      unsubscribe();
      observer.disconnect();
    };
  }, [store, canvas, frame]);
}
