import type { Flow, FlowNode } from "@parley/contract/flow";
import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { type ReactNode, type RefObject, useEffect } from "react";
import { locale } from "../../../languages/language.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { sizeOf } from "../model/layout/node-size.ts";
import type { Canvas } from "./canvas-elements.ts";
import { editorCanvasText } from "./text.ts";

/** Up to this size a whole flow is readable at once. */
const READABLE_ZOOM = 0.5;
export const ZOOM_MIN = 0.08;
export const ZOOM_MAX = 1.75;

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

/** Shows the whole flow, or its beginning where the whole would be too small to read. */
export function showAtOpening(canvas: Canvas, flow: Flow): void {
  const pane = document.querySelector(".flow-canvas");
  if (pane !== null && pane.clientHeight < PANE_HEIGHT_MIN) {
    onceLaidOut(pane, () => showAtOpening(canvas, flow));
    return;
  }
  const bounds = boundsOf(flow);
  if (!bounds) {
    void canvas.setViewport({ x: 80, y: 120, zoom: 1 });
    return;
  }
  if (fittingZoom(bounds) >= READABLE_ZOOM) {
    showBounds(canvas, bounds, 0);
    return;
  }
  showStart(canvas, flow, OPENING_ZOOM, 0);
}

/** The beginning of a large flow is shown a little smaller than full size. */
const OPENING_ZOOM = 0.8;

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

/** The zoom at which all of it is in view, at most 100 %. */
function fittingZoom({ width, height }: Bounds): number {
  const pane = document.querySelector(".flow-canvas");
  const [wide, high] = [pane?.clientWidth ?? 1000, pane?.clientHeight ?? 600];
  return Math.min(1, wide / (width * PADDED), high / (height * PADDED));
}

const PADDED = 1.16;

function showBounds(canvas: Canvas, bounds: Bounds, durationMs: number): void {
  const centre = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  void canvas.setCenter(centre.x, centre.y, { zoom: fittingZoom(bounds), duration: durationMs });
}

/**
 * Shows the whole flow. One that would be too small to read is shown at half size instead, around the selected node or
 * from its start.
 */
export function showWhole(canvas: Canvas, flow: Flow, selection: readonly string[] = []): void {
  const bounds = boundsOf(flow);
  if (!bounds) return;
  if (fittingZoom(bounds) >= READABLE_ZOOM) {
    showBounds(canvas, bounds, wayMs());
    return;
  }
  const chosen = flow.nodes.filter(({ id }) => selection.includes(id));
  const around = boundsOf({ ...flow, nodes: chosen.length > 0 ? chosen : [] });
  if (around) {
    const centre = { x: around.x + around.width / 2, y: around.y + around.height / 2 };
    void canvas.setCenter(centre.x, centre.y, { zoom: READABLE_ZOOM, duration: wayMs() });
  } else showStart(canvas, flow, READABLE_ZOOM, wayMs());
}

function showStart(canvas: Canvas, flow: Flow, zoom: number, durationMs: number): void {
  const pane = document.querySelector(".flow-canvas");
  const start = flow.nodes.find(({ type }) => type === "start") ?? flow.nodes[0];
  const { y = 0, height = 0 } = boundsOf(flow) ?? {};
  const high = pane?.clientHeight ?? 600;
  // No empty space above a flow that goes on below.
  const wanted = high * TOP_PART - (start?.position?.y ?? 0) * zoom;
  const highest = LEFT - y * zoom;
  const lowest = high - LEFT - (y + height) * zoom;
  const top = lowest < highest ? Math.min(highest, Math.max(lowest, wanted)) : wanted;
  void canvas.setViewport({ x: LEFT - (start?.position?.x ?? 0) * zoom, y: top, zoom }, { duration: durationMs });
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
 * Keeps in view the current node of a try, the focused node, a new node that was placed by hand, and the selected node when
 * a panel makes the canvas smaller: at the side, or on a phone below.
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
    let { activeNodeId, fresh } = store.getSnapshot();
    const unsubscribe = store.subscribe(() => {
      const now = store.getSnapshot();
      if (now.activeNodeId !== activeNodeId) bring(now.activeNodeId);
      if (now.fresh !== fresh) bring(now.fresh[0]);
      ({ activeNodeId, fresh } = now);
    });
    let { clientWidth: width, clientHeight: height } = element;
    const observer = new ResizeObserver(() => {
      const { activeNodeId: active, selection } = store.getSnapshot();
      const isSmaller = element.clientWidth < width || element.clientHeight < height;
      if (isSmaller) bring(active ?? (selection.length === 1 ? selection[0] : null));
      ({ clientWidth: width, clientHeight: height } = element);
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

/** One step closer or farther, or to full size. */
export function zoomCanvas(canvas: Canvas, to: "in" | "out" | "full"): void {
  const duration = wayMs();
  if (to === "full") void canvas.zoomTo(1, { duration });
  else if (to === "in") void canvas.zoomIn({ duration });
  else void canvas.zoomOut({ duration });
}

/** Zooms the canvas: out, to full size, in, and to the whole flow. */
export function ZoomControl({ onShowWhole }: { onShowWhole(): void }) {
  const canvas = useReactFlow();
  const zoom = useStore(({ transform }) => transform[2]);
  const shown = zoom.toLocaleString(locale, { style: "percent" });
  return (
    <Panel position="bottom-left">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form. */}
      <div
        role="group"
        aria-label={editorCanvasText.zoom}
        className="flex items-center rounded-xl border border-line bg-surface p-0.5 text-ink shadow-sm"
      >
        <ZoomButton
          label={editorCanvasText.zoomOut}
          keys="-"
          isOff={zoom <= ZOOM_MIN}
          onClick={() => void canvas.zoomOut()}
        >
          <Minus aria-hidden="true" />
        </ZoomButton>
        <ZoomButton label={editorCanvasText.zoomTo100(shown)} keys="0" onClick={() => void canvas.zoomTo(1)}>
          <span className="w-10 text-xs tabular-nums" data-testid="zoom">
            {shown}
          </span>
        </ZoomButton>
        <ZoomButton
          label={editorCanvasText.zoomIn}
          keys="+"
          isOff={zoom >= ZOOM_MAX}
          onClick={() => void canvas.zoomIn()}
        >
          <Plus aria-hidden="true" />
        </ZoomButton>
        <ZoomButton label={editorCanvasText.showWhole} keys="1" onClick={onShowWhole}>
          <Maximize aria-hidden="true" />
        </ZoomButton>
      </div>
    </Panel>
  );
}

interface ZoomButtonProps {
  readonly label: string;
  readonly keys: string;
  readonly isOff?: boolean;
  readonly children: ReactNode;
  onClick(): void;
}

function ZoomButton({ label, keys, isOff = false, children, onClick }: ZoomButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={isOff}
      onClick={onClick}
      className="grid h-8 min-w-8 place-items-center rounded-lg hover:bg-sunken disabled:opacity-40 [&_svg]:size-4"
    >
      {children}
    </button>
  );
}
