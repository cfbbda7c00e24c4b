import type { Flow, FlowComment, FlowNode } from "@parley/contract/flow";
import { type Edge, MarkerType, type Node, type NodeHandle, Position, type ReactFlowInstance } from "@xyflow/react";
import { COMMENT } from "../model/editor-store.ts";
import { exitsOf } from "../model/exits.ts";
import { nameOfType, titleOf } from "../model/node-kinds.ts";
import { exitTop, HEADER_HEIGHT, NODE_WIDTH, sizeOf } from "../model/node-size.ts";

type Passing = "unwatched" | "passed" | "passed_by";

export interface StepData extends Record<string, unknown> {
  readonly node: FlowNode;
  readonly worst: "problem" | "warning" | null;
  readonly isActive: boolean;
  /** Whether the call that is looked at came here. */
  readonly passing: Passing;
  /** Which step of it this was first, from 1. */
  readonly step: number | null;
}
export type StepNode = Node<StepData, "step">;
interface CommentData extends Record<string, unknown> {
  readonly comment: FlowComment;
}
export type CommentNode = Node<CommentData, "comment">;
export type CanvasNode = StepNode | CommentNode;

interface ExitData extends Record<string, unknown> {
  readonly kind: "next" | "case" | "otherwise" | "failed";
  readonly passing: Passing;
}
export type ExitEdge = Edge<ExitData, "exit">;

export type Canvas = ReactFlowInstance<CanvasNode, ExitEdge>;

/** The one place where lines end at a node. */
export const INLET = "in";
const HANDLE_SIZE = 12;

export interface Shown {
  readonly flow: Flow;
  readonly selection: ReadonlySet<string>;
  readonly worst: ReadonlyMap<string, "problem" | "warning">;
  readonly activeNodeId: string | null;
  readonly path: readonly string[];
}

/**
 * What the canvas draws. What is as it was is the very same object as before, and is not drawn again: in a flow of two
 * hundred nodes a keystroke concerns one.
 */
export function canvasNodes(shown: Shown, before: ReadonlyMap<string, CanvasNode>): CanvasNode[] {
  const steps = new Map<string, number>();
  shown.path.forEach((id, index) => {
    if (!steps.has(id)) steps.set(id, index + 1);
  });
  const nodes = shown.flow.nodes.map((node): CanvasNode => {
    const step = steps.get(node.id) ?? null;
    const data: StepData = {
      node,
      worst: shown.worst.get(node.id) ?? null,
      isActive: node.id === shown.activeNodeId,
      passing: shown.path.length === 0 ? "unwatched" : step === null ? "passed_by" : "passed",
      step,
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
  // Comments lie below what they are about.
  return [...comments, ...nodes];
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
      ...(hasInlet ? [handle(INLET, "target", Position.Left, 0, HEADER_HEIGHT / 2)] : []),
      ...exitsOf(node).map(({ id }, index) => handle(id, "source", Position.Right, NODE_WIDTH, exitTop(node, index))),
    ],
    ariaLabel: `${nameOfType(node.type)}: ${titleOf(node)}${data.worst === "problem" ? ", has a problem" : ""}`,
  };
}

function handle(id: string, type: "source" | "target", position: Position, x: number, y: number): NodeHandle {
  const half = HANDLE_SIZE / 2;
  return { id, type, position, x: x - half, y: y - half, width: HANDLE_SIZE, height: HANDLE_SIZE };
}

const COMMENT_SIZE = { width: 220, height: 120 };

function commentNode(id: string, comment: FlowComment, selected: boolean): CommentNode {
  return {
    id,
    type: "comment",
    position: comment.position,
    data: { comment },
    selected,
    ...COMMENT_SIZE,
    measured: COMMENT_SIZE,
    handles: [],
    zIndex: -1,
    ariaLabel: `Comment: ${comment.text || "empty"}`,
  };
}

const edgeId = (fromId: string, exitId: string) => `${fromId}>${exitId}`;

/** The lines. One that leads to a node that is gone is a problem in words, and cannot be drawn. */
export function canvasEdges(
  { flow, path }: Pick<Shown, "flow" | "path">,
  selected: ReadonlySet<string>,
  before: ReadonlyMap<string, ExitEdge>,
): ExitEdge[] {
  const titles = new Map(flow.nodes.map((node) => [node.id, titleOf(node)]));
  const pairs = new Set(path.slice(1).map((to, index) => `${path[index]} ${to}`));
  return flow.nodes.flatMap((node) =>
    exitsOf(node).flatMap(({ id: exitId, kind, to }): ExitEdge[] => {
      const leadsTo = to === undefined ? undefined : titles.get(to);
      if (to === undefined || leadsTo === undefined) return [];
      const id = edgeId(node.id, exitId);
      const passing = path.length === 0 ? "unwatched" : pairs.has(`${node.id} ${to}`) ? "passed" : "passed_by";
      const isSelected = selected.has(id);
      const ariaLabel = `From ${titleOf(node)} to ${leadsTo}`;
      const old = before.get(id);
      if (
        old?.target === to &&
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
          targetHandle: INLET,
          selected: isSelected,
          data: { kind, passing },
          markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "var(--edge)" },
          ariaLabel,
        },
      ];
    }),
  );
}

function isSameData(one: StepData, other: StepData): boolean {
  return (
    one.node === other.node &&
    one.worst === other.worst &&
    one.isActive === other.isActive &&
    one.passing === other.passing &&
    one.step === other.step
  );
}
