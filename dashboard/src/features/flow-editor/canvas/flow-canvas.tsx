import {
  Background,
  type Connection,
  type FinalConnectionState,
  Panel,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { type DragEvent, type PointerEvent, type ReactNode, useCallback, useMemo, useRef } from "react";
import "./canvas.css";
import type { Flow } from "@parley/contract/flow";
import type { NodeNumber } from "@parley/contract/node-numbers";
import { addNode, connect, disconnect, mayLeadTo } from "../model/edit-flow.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { type FlowNotes, worstByNode } from "../model/flow-notes.ts";
import { NODE_WIDTH, sizeOf } from "../model/layout/node-size.ts";
import type { NodePosition } from "../model/new-node.ts";
import { NODE_KINDS } from "../model/node-kinds.ts";
import { useEditor } from "../use-editor.ts";
import { type Canvas, type CanvasNode, DRAWN_WHOLE_MAX, type ExitEdge, useCanvasElements } from "./canvas-elements.ts";
import { CanvasMenu } from "./canvas-menu.tsx";
import { CommentCard, ExitLine, StepCard } from "./canvas-shapes.tsx";
import { useFocus } from "./focus-card.ts";
import { GroupCard } from "./groups/group-items.tsx";
import { PALETTE_TYPE } from "./palette.tsx";
import { editorCanvasText } from "./text.ts";
import { type CanvasActions, useCanvasKeys } from "./use-keyboard-shortcuts.ts";
import { boundsOf, showAtOpening, useInView, ZOOM_MAX, ZOOM_MIN, ZoomControl } from "./viewport.tsx";

/** An exit whose line was dropped on an empty place. */
export interface OpenEnd {
  readonly nodeId: string;
  readonly exitId: string;
  readonly position: NodePosition;
}

interface FlowCanvasProps {
  readonly store: EditorStore;
  readonly notes: FlowNotes;
  /** What the latest calls did at each node, if that is to be shown. */
  readonly numbers?: ReadonlyMap<string, NodeNumber>;
  readonly children?: ReactNode;
  onReady(canvas: Canvas): void;
  onOpenEnd(end: OpenEnd): void;
  readonly actions: CanvasActions;
}

const NODE_TYPES = { step: StepCard, comment: CommentCard, group: GroupCard };
const EDGE_TYPES = { exit: ExitLine };
// Created once: new objects would be compared, and processed, at every render.
const PRO_OPTIONS = { hideAttribution: true };
const SELECT_MORE_KEYS = ["Shift", "Meta", "Control"];
/** A read-only flow: its elements can be selected but not moved. */
const FIXED = {
  nodesDraggable: false,
  nodesConnectable: false,
  edgesReconnectable: false,
  edgesFocusable: false,
  ariaLabelConfig: { "node.a11yDescription.keyboardDisabled": editorCanvasText.selectNodeByKey },
};
/** What screen readers say about the nodes of a flow that can be changed. */
const READ_ALOUD = {
  "node.a11yDescription.default": editorCanvasText.changeNodeByKey,
  "node.a11yDescription.keyboardDisabled": editorCanvasText.moveNodeByKey,
  "edge.a11yDescription.default": editorCanvasText.changeLineByKey,
  "node.a11yDescription.ariaLiveMessage": ({ x, y }: { readonly x: number; readonly y: number }) =>
    editorCanvasText.nodeMoved(x, y),
};

const NO_NUMBERS: ReadonlyMap<string, NodeNumber> = new Map();

function allowDrop(event: DragEvent): void {
  event.preventDefault();
  event.dataTransfer.dropEffect = "move";
}

/** The flow as an editable diagram. */
export function FlowCanvas({
  store,
  notes,
  numbers = NO_NUMBERS,
  children,
  onReady,
  onOpenEnd,
  actions,
}: FlowCanvasProps) {
  const worst = useMemo(() => worstByNode(notes), [notes]);
  const { nodes, edges, selectedEdges, onNodesChange, onEdgesChange } = useCanvasElements(store, worst, numbers);
  const isLarge = useEditor(store, ({ flow }) => flow.nodes.length > DRAWN_WHOLE_MAX);
  const frame = useRef<HTMLDivElement>(null);
  const [attach, canvas] = useFocus(store, frame);
  useInView(store, canvas, frame);
  useCanvasKeys(store, selectedEdges, actions);

  const onConnect = useCallback(
    ({ source, sourceHandle, target }: Connection) =>
      store.edit((flow) => connect(flow, source, sourceHandle ?? "next", target)),
    [store],
  );
  const onReconnect = useCallback(
    (old: ExitEdge, { source, sourceHandle, target }: Connection) =>
      store.edit((flow) =>
        connect(disconnect(flow, old.source, old.sourceHandle ?? "next"), source, sourceHandle ?? "next", target),
      ),
    [store],
  );
  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, { isValid, fromNode, fromHandle, toNode }: FinalConnectionState) => {
      if (isValid === true || toNode || !fromNode || fromHandle?.type !== "source" || !canvas.current) return;
      const point = "changedTouches" in event ? event.changedTouches[0] : event;
      if (!point) return;
      const position = canvas.current.screenToFlowPosition({ x: point.clientX, y: point.clientY });
      onOpenEnd({ nodeId: fromNode.id, exitId: fromHandle.id ?? "next", position });
    },
    [canvas, onOpenEnd],
  );
  const onDrop = useCallback(
    (event: DragEvent) => {
      const type = NODE_KINDS.find((kind) => kind.type === event.dataTransfer.getData(PALETTE_TYPE))?.type;
      if (!type || !canvas.current || store.isFixed) return;
      event.preventDefault();
      const { x, y } = canvas.current.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      const added = addNode(store.getSnapshot().flow, type, { x: x - NODE_WIDTH / 2, y: y - 20 });
      store.edit(() => added.flow);
      store.selectNew(added.id);
    },
    [store, canvas],
  );

  const isValidConnection = useCallback(
    ({ target }: Connection | ExitEdge) => mayLeadTo(store.getSnapshot().flow, target),
    [store],
  );
  const onInit = useCallback(
    (instance: Canvas) => {
      attach(instance);
      showAtOpening(instance, store.getSnapshot().flow);
      onReady(instance);
    },
    [attach, onReady, store],
  );

  return (
    <CanvasMenu
      store={store}
      actions={actions}
      placeAt={(point) => canvas.current?.screenToFlowPosition(point) ?? { x: 0, y: 0 }}
    >
      <div ref={frame} className="flow-canvas absolute inset-0" data-fixed={store.isFixed}>
        <ReactFlow<CanvasNode, ExitEdge>
          aria-label={editorCanvasText.theFlow}
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onConnect={onConnect}
          onReconnect={onReconnect}
          onConnectEnd={onConnectEnd}
          isValidConnection={isValidConnection}
          onInit={onInit}
          onDragOver={allowDrop}
          onDrop={onDrop}
          minZoom={ZOOM_MIN}
          maxZoom={ZOOM_MAX}
          panOnScroll
          selectionMode={SelectionMode.Partial}
          connectionRadius={28}
          // Its licence permits it, and README.md names the library. The link would lead to another host.
          proOptions={PRO_OPTIONS}
          onlyRenderVisibleElements={isLarge}
          nodeDragThreshold={3}
          // We handle deletion ourselves, so that it is one undo step and removes the lines.
          deleteKeyCode={null}
          multiSelectionKeyCode={SELECT_MORE_KEYS}
          // Tab goes from node to node. The target of a line is chosen at its node, by C or in the fields.
          edgesFocusable={false}
          // The whole card is scrolled into view when it gets the focus, not a corner of it.
          autoPanOnNodeFocus={false}
          elevateNodesOnSelect={false}
          ariaLabelConfig={READ_ALOUD}
          {...(store.isFixed ? FIXED : {})}
        >
          <Background gap={22} size={1.5} />
          <FlowMap store={store} />
          <ZoomControl onShowWhole={actions.showWhole} />
          {children}
        </ReactFlow>
      </div>
    </CanvasMenu>
  );
}

const MARGIN = 120;

/**
 * A map of the whole flow with the current view; pressing or dragging on it moves there. All nodes are one path: two
 * hundred elements that each follow the canvas would cost more than the canvas itself.
 */
function FlowMap({ store }: { readonly store: EditorStore }) {
  const flow = useEditor(store, (state) => state.flow);
  const canvas = useReactFlow();
  const [x, y, zoom] = useStore((state) => state.transform);
  const paneWidth = useStore((state) => state.width);
  const paneHeight = useStore((state) => state.height);
  const bounds = useMemo(() => boundsOf(flow), [flow]);
  const path = useMemo(() => pathOfNodes(flow), [flow]);
  if (!bounds) return null;
  const view = { x: -x / zoom, y: -y / zoom, width: paneWidth / zoom, height: paneHeight / zoom };
  const whole = [bounds.x - MARGIN, bounds.y - MARGIN, bounds.width + 2 * MARGIN, bounds.height + 2 * MARGIN] as const;
  const go = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons === 0) return;
    const matrix = event.currentTarget.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    void canvas.setCenter(point.x, point.y, { zoom });
  };
  return (
    <Panel position="bottom-right" className="max-md:hidden">
      <svg
        role="img"
        aria-label={editorCanvasText.flowMap}
        viewBox={whole.join(" ")}
        className="h-26 w-36 cursor-pointer rounded-xl border border-line bg-surface"
        onPointerDown={go}
        onPointerMove={go}
      >
        <path d={path} className="fill-line-strong/70" />
        <rect {...view} rx={40} className="fill-accent/10 stroke-accent" strokeWidth={whole[2] / 70} />
      </svg>
    </Panel>
  );
}

function pathOfNodes({ nodes }: Flow): string {
  return nodes
    .map((node) => {
      const { x, y } = node.position ?? { x: 0, y: 0 };
      const { width, height } = sizeOf(node);
      return `M${x} ${y}h${width}v${height}h${-width}z`;
    })
    .join("");
}
