import type { Flow, FlowComment, FlowNode } from "@parley/contract/flow";
import type { NodeNumber } from "@parley/contract/node-numbers";
import {
  applyNodeChanges,
  type Edge,
  type EdgeChange,
  MarkerType,
  type Node,
  type NodeChange,
  type NodeHandle,
  Position,
  type ReactFlowInstance,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { moveTo } from "../model/edit-flow.ts";
import { COMMENT, type EditorStore } from "../model/editor-store.ts";
import { exitsOf } from "../model/exits.ts";
import { COMMENT_SIZE, exitTop, HEADER_HEIGHT, NODE_WIDTH, sizeOf } from "../model/layout/node-size.ts";
import { type Inlet, inletOf, lineId, type Route } from "../model/layout/route-lines.ts";
import type { NodePosition } from "../model/new-node.ts";
import { nameOfType, titleOf } from "../model/node-kinds.ts";
import { routeAside } from "../problems/ask-worker.ts";
import { type OuterPoint, outerNode, outerPath } from "../sub-flows/outer-node.ts";
import { useEditor } from "../use-editor.ts";
import { type GroupNode, groupFrames, movesOfNodes, placesIn, reframed } from "./groups/group-frames.ts";
import { editorCanvasText } from "./text.ts";

type Passing = "unwatched" | "passed" | "passed_by";

export interface StepData extends Record<string, unknown> {
  readonly node: FlowNode;
  readonly worst: "problem" | "warning" | null;
  readonly isActive: boolean;
  /** Whether the selected call visited this node. */
  readonly passing: Passing;
  /** The step of its first visit, from 1. */
  readonly step: number | null;
  /** What the latest calls did here; null if none came here, or numbers are not shown. */
  readonly numbers: NodeNumber | null;
}
export type StepNode = Node<StepData, "step">;
interface CommentData extends Record<string, unknown> {
  readonly comment: FlowComment;
}
export type CommentNode = Node<CommentData, "comment">;
export type CanvasNode = StepNode | CommentNode | GroupNode;

interface ExitData extends Record<string, unknown> {
  readonly kind: "next" | "case" | "otherwise" | "failed";
  readonly passing: Passing;
  /** The way around nodes that lie between; null for a plain curve. */
  readonly route: Route | null;
}
export type ExitEdge = Edge<ExitData, "exit">;

export type Canvas = ReactFlowInstance<CanvasNode, ExitEdge>;

/** Where lines end at a node: at its left side, or at its top if they come from above. */
export const INLET: Inlet = "in";
export const TOP_INLET: Inlet = "top";
const HANDLE_SIZE = 12;

interface Shown {
  readonly flow: Flow;
  readonly selection: ReadonlySet<string>;
  readonly worst: ReadonlyMap<string, "problem" | "warning">;
  readonly activeNodeId: string | null;
  readonly path: readonly OuterPoint[];
  readonly numbers?: ReadonlyMap<string, NodeNumber>;
}

/**
 * What the canvas draws. Unchanged elements keep their identity and are not redrawn: in a flow of two hundred nodes a
 * keystroke concerns one.
 */
export function canvasNodes(shown: Shown, before: ReadonlyMap<string, CanvasNode>): CanvasNode[] {
  const steps = new Map<string, number>();
  shown.path.forEach(({ nodeId }, index) => {
    if (!steps.has(nodeId)) steps.set(nodeId, index + 1);
  });
  const nodes = shown.flow.nodes.map((node): CanvasNode => {
    const step = steps.get(node.id) ?? null;
    const data: StepData = {
      node,
      worst: shown.worst.get(node.id) ?? null,
      isActive: node.id === shown.activeNodeId,
      passing: shown.path.length === 0 ? "unwatched" : step === null ? "passed_by" : "passed",
      step,
      numbers: shown.numbers?.get(node.id) ?? null,
    };
    const selected = shown.selection.has(node.id);
    const old = before.get(node.id);
    if (old?.type === "step" && old.selected === selected && isSameData(old.data, data)) return old;
    return stepNode(data, selected);
  });
  const comments = (shown.flow.comments ?? []).map((comment): CanvasNode => {
    const id = `${COMMENT}${comment.id}`;
    const selected = shown.selection.has(id);
    const old = before.get(id);
    if (old?.type === "comment" && old.selected === selected && old.data.comment === comment) return old;
    return commentNode(id, comment, selected);
  });
  // Comments lie below the nodes, and groups below both.
  return [...groupFrames(shown.flow, shown.selection, before), ...comments, ...nodes];
}

function stepNode(data: StepData, selected: boolean): StepNode {
  const { node } = data;
  const size = sizeOf(node);
  const hasInlet = node.type !== "start" && node.type !== "voicemail";
  return {
    id: node.id,
    type: "step",
    position: node.position ?? { x: 0, y: 0 },
    data,
    selected,
    ...size,
    measured: size,
    handles: [
      ...(hasInlet
        ? [
            handle(INLET, "target", Position.Left, 0, HEADER_HEIGHT / 2),
            handle(TOP_INLET, "target", Position.Top, NODE_WIDTH / 2, 0),
          ]
        : []),
      ...exitsOf(node).map(({ id }, index) => handle(id, "source", Position.Right, NODE_WIDTH, exitTop(node, index))),
    ],
    ariaLabel: editorCanvasText.nodeLabel(nameOfType(node.type), titleOf(node), data.worst === "problem"),
  };
}

function handle(id: string, type: "source" | "target", position: Position, x: number, y: number): NodeHandle {
  const half = HANDLE_SIZE / 2;
  return { id, type, position, x: x - half, y: y - half, width: HANDLE_SIZE, height: HANDLE_SIZE };
}

function commentNode(id: string, comment: FlowComment, selected: boolean): CommentNode {
  const size = comment.size ?? COMMENT_SIZE;
  return {
    id,
    type: "comment",
    position: comment.position,
    data: { comment },
    selected,
    ...size,
    measured: size,
    handles: [],
    zIndex: -1,
    ariaLabel: editorCanvasText.commentLabel(comment.text),
  };
}

/** The edges. One that leads to a missing node is listed as a problem and cannot be drawn. */
export function canvasEdges(
  { flow, path }: Pick<Shown, "flow" | "path">,
  selected: ReadonlySet<string>,
  before: ReadonlyMap<string, ExitEdge>,
  routes: ReadonlyMap<string, Route> = NO_ROUTES,
): ExitEdge[] {
  const targets = new Map(flow.nodes.map((node) => [node.id, node]));
  const lines = new Set(path.slice(1).map(({ nodeId, exit }, index) => passedLine(path[index]?.nodeId, exit, nodeId)));
  return flow.nodes.flatMap((node) =>
    exitsOf(node).flatMap(({ id: exitId, kind, to }): ExitEdge[] => {
      const target = to === undefined ? undefined : targets.get(to);
      if (to === undefined || target === undefined) return [];
      const id = lineId(node.id, exitId);
      const route = routes.get(id) ?? null;
      const targetHandle = inletOf(node, target);
      const isPassed = lines.has(passedLine(node.id, exitId, to)) || lines.has(passedLine(node.id, undefined, to));
      const passing = path.length === 0 ? "unwatched" : isPassed ? "passed" : "passed_by";
      const isSelected = selected.has(id);
      const ariaLabel = editorCanvasText.lineFromTo(titleOf(node), titleOf(target));
      const old = before.get(id);
      if (
        old?.target === to &&
        old.targetHandle === targetHandle &&
        isSameRoute(old.data?.route ?? null, route) &&
        old.selected === isSelected &&
        old.ariaLabel === ariaLabel &&
        old.data?.kind === kind &&
        old.data.passing === passing
      ) {
        return [old];
      }
      return [
        {
          id,
          type: "exit",
          source: node.id,
          sourceHandle: exitId,
          target: to,
          targetHandle,
          selected: isSelected,
          data: { kind, passing, route },
          markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "var(--edge)" },
          ariaLabel,
        },
      ];
    }),
  );
}

/** If it is not known which exit was taken, every line between the two nodes may have been. */
function passedLine(from: string | undefined, exit: string | null | undefined, to: string): string {
  return `${from} ${exit === undefined ? "any" : (exit ?? "none")} ${to}`;
}

const NO_ROUTES: ReadonlyMap<string, Route> = new Map();

function isSameRoute(one: Route | null, other: Route | null): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isSameData(one: StepData, other: StepData): boolean {
  return (
    one.node === other.node &&
    one.worst === other.worst &&
    one.isActive === other.isActive &&
    one.passing === other.passing &&
    one.step === other.step &&
    one.numbers === other.numbers
  );
}

/** What the canvas draws and how it handles moves and selections. */
export function useCanvasElements(store: EditorStore, worst: Shown["worst"], numbers: NonNullable<Shown["numbers"]>) {
  const flow = useEditor(store, (state) => state.flow);
  const selection = useEditor(store, (state) => state.selection);
  const active = useEditor(store, (state) => state.activeNodeId);
  const activeNodeId = active === null ? null : (outerNode(flow, active)?.id ?? active);
  const steps = useEditor(store, (state) => state.path);
  const path = useMemo(() => outerPath(flow, steps), [flow, steps]);
  const [selectedEdges, setSelectedEdges] = useState<ReadonlySet<string>>(new Set());
  // While something is dragged the canvas is ahead of the document, which is updated on release.
  const [nodes, setNodes] = useState<CanvasNode[]>([]);
  const edgesBefore = useRef<ReadonlyMap<string, ExitEdge>>(new Map());
  const routes = useRoutes(flow);

  useEffect(() => {
    const shown = { flow, selection: new Set(selection), worst, activeNodeId, path, numbers };
    setNodes((before) => canvasNodes(shown, new Map(before.map((node) => [node.id, node]))));
  }, [flow, selection, worst, activeNodeId, path, numbers]);

  const edges = useMemo(() => {
    const made = canvasEdges({ flow, path }, selectedEdges, edgesBefore.current, routes);
    edgesBefore.current = new Map(made.map((edge) => [edge.id, edge]));
    return made;
  }, [flow, path, selectedEdges, routes]);

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      // The size of a node follows from its content; that of a comment is chosen.
      const sizes = changes.filter((change) => change.type === "dimensions" && change.resizing !== undefined);
      if (sizes.length > 0) setNodes((now) => applyNodeChanges(sizes, now));
      const moves = changes.filter((change) => change.type === "position");
      const { flow: document } = store.getSnapshot();
      const groups = document.groups ?? [];
      if (moves.length > 0) {
        setNodes((now) => {
          const places = new Map(now.map(({ id, position }) => [id, position]));
          return reframed(
            applyNodeChanges(
              movesOfNodes(moves, groups, (id) => places.get(id)),
              now,
            ),
          );
        });
      }
      const places = movesOfNodes(moves, groups, placesIn(document)).flatMap(
        ({ id, position, dragging }): [string, NodePosition][] =>
          position && dragging !== true ? [[id, position]] : [],
      );
      if (places.length > 0) store.edit((now) => moveTo(now, new Map(places)), `move:${places.map(([id]) => id)}`);
      const selects = changes.filter((change) => change.type === "select");
      if (selects.length > 0) {
        const chosen = new Set(store.getSnapshot().selection);
        for (const { id, selected } of selects) selected ? chosen.add(id) : chosen.delete(id);
        store.select([...chosen]);
      }
    },
    [store],
  );

  const onEdgesChange = useCallback((changes: EdgeChange<ExitEdge>[]) => {
    setSelectedEdges((now) => {
      const chosen = new Set(now);
      for (const change of changes) {
        if (change.type === "select") change.selected ? chosen.add(change.id) : chosen.delete(change.id);
        if (change.type === "remove") chosen.delete(change.id);
      }
      return chosen;
    });
  }, []);

  const revealed = useRevealed(nodes.length);
  const shownNodes = useMemo(() => (revealed < nodes.length ? nodes.slice(0, revealed) : nodes), [nodes, revealed]);
  const shownEdges = useMemo(() => {
    if (revealed >= nodes.length) return edges;
    const ids = new Set(shownNodes.map(({ id }) => id));
    return edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  }, [edges, nodes.length, revealed, shownNodes]);

  return { nodes: shownNodes, edges: shownEdges, selectedEdges, onNodesChange, onEdgesChange };
}

/** Waits for a pause in typing or moving. */
const ROUTE_PAUSE_MS = 120;

/** The ways of lines around nodes, found off the main thread. Until they are known lines are plain curves. */
function useRoutes(flow: Flow): ReadonlyMap<string, Route> {
  const [routes, setRoutes] = useState(NO_ROUTES);
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(async () => {
      const found = await routeAside(flow);
      if (isWanted) setRoutes((before) => (before.size + found.size === 0 ? before : found));
    }, ROUTE_PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [flow]);
  return routes;
}

/** The number of nodes drawn within one frame, even on a slow machine. */
const PER_FRAME = 6;
/** Up to this size every node is drawn and can be reached by Tab; of a larger flow only what is in view. */
export const DRAWN_WHOLE_MAX = 60;

/**
 * How many elements may be drawn by now. A flow appears over a few frames, beginning with its start, so that the page
 * stays responsive. The visible part of a large one is drawn as soon as the canvas is ready.
 */
function useRevealed(total: number): number {
  const [revealed, setRevealed] = useState(0);
  useEffect(() => {
    if (revealed >= total) return;
    const frame = requestAnimationFrame(() => setRevealed((count) => Math.min(total, count + PER_FRAME)));
    return () => cancelAnimationFrame(frame);
  }, [revealed, total]);
  return total > DRAWN_WHOLE_MAX && revealed > 0 ? total : Math.min(revealed, total);
}
