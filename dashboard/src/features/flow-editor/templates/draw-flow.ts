import type { Flow, FlowNode } from "@parley/contract/flow";
import { exitsOf } from "../model/exits-of.ts";
import { layoutFlow } from "../model/layout-flow.ts";
import { sizeOf } from "../model/node-size.ts";

interface DrawnNode {
  readonly id: string;
  readonly type: FlowNode["type"];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface FlowDrawing {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly DrawnNode[];
  /** The way of each line, as an SVG path. */
  readonly lines: readonly string[];
}

const MARGIN = 24;

/** A small picture of a flow: where its nodes lie and what leads where. */
export function drawFlow(flow: Flow): FlowDrawing {
  const places = layoutFlow(flow);
  const laid = flow.nodes.map((node) => ({
    id: node.id,
    type: node.type,
    ...(places.get(node.id) ?? { x: 0, y: 0 }),
    ...sizeOf(node),
  }));
  const left = Math.min(...laid.map(({ x }) => x), 0);
  const top = Math.min(...laid.map(({ y }) => y), 0);
  const nodes = laid.map((node) => ({ ...node, x: node.x - left + MARGIN, y: node.y - top + MARGIN }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lines = flow.nodes.flatMap((node) =>
    exitsOf(node).flatMap(({ to }) => {
      const [from, target] = [byId.get(node.id), to === undefined ? undefined : byId.get(to)];
      return from && target ? [lineBetween(from, target)] : [];
    }),
  );
  return {
    width: Math.max(...nodes.map(({ x, width }) => x + width), 0) + MARGIN,
    height: Math.max(...nodes.map(({ y, height }) => y + height), 0) + MARGIN,
    nodes,
    lines,
  };
}

function lineBetween(from: DrawnNode, to: DrawnNode): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
