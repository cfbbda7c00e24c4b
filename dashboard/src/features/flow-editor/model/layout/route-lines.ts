import type { Flow, FlowNode } from "@parley/contract/flow";
import { exitsOf } from "../exits.ts";
import type { NodePosition } from "../new-node.ts";
import { exitTop, HEADER_HEIGHT, NODE_WIDTH, sizeOf } from "./node-size.ts";

// Lines that would cross a node are led around it. Most lines do not, and stay the curves that the canvas draws itself.

/** The side at which a line enters a node. */
export type Inlet = "in" | "top";

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line by its exit, with the corners it turns at. The ends are those at which it was routed. */
export interface Route {
  readonly from: NodePosition;
  readonly to: NodePosition;
  readonly corners: readonly NodePosition[];
}

export const lineId = (fromId: string, exitId: string): string => `${fromId}>${exitId}`;

/** A node that lies below is entered from above, unless there is room to go to its side. */
export function inletOf(from: FlowNode, to: FlowNode): Inlet {
  const one = boxOf(from);
  const other = boxOf(to);
  return other.top >= one.bottom && other.left < one.right + TURN ? "top" : "in";
}

/** Room for a line to leave a node, turn, and enter another. */
const TURN = 24;
/** Lines keep this distance from nodes. */
const CLEAR = 14;

/** The routes of the lines that need one, by `lineId`. */
export function routeLines(flow: Flow): ReadonlyMap<string, Route> {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const boxes = flow.nodes.map(boxOf);
  const routes = new Map<string, Route>();
  for (const node of flow.nodes) {
    exitsOf(node).forEach((exit, index) => {
      const target = exit.to === undefined ? undefined : nodes.get(exit.to);
      if (!target) return;
      const inlet = inletOf(node, target);
      const from = outletAt(node, index);
      const to = inletAt(target, inlet);
      if (isClear(from, to, inlet, boxes)) return;
      const corners = findWay(from, to, inlet, boxes);
      if (corners) routes.set(lineId(node.id, exit.id), { from, to, corners });
    });
  }
  return routes;
}

function boxOf(node: FlowNode): Box {
  const { x, y } = node.position ?? { x: 0, y: 0 };
  const { width, height } = sizeOf(node);
  return { left: x, top: y, right: x + width, bottom: y + height };
}

function outletAt(node: FlowNode, index: number): NodePosition {
  const { left, top } = boxOf(node);
  return { x: left + NODE_WIDTH, y: top + exitTop(node, index) };
}

function inletAt(node: FlowNode, inlet: Inlet): NodePosition {
  const { left, top } = boxOf(node);
  return inlet === "in" ? { x: left, y: top + HEADER_HEIGHT / 2 } : { x: left + NODE_WIDTH / 2, y: top };
}

const SAMPLES = 32;

/** Whether the plain curve crosses no node, also not the ones it connects. */
function isClear(from: NodePosition, to: NodePosition, inlet: Inlet, boxes: readonly Box[]): boolean {
  const [a, b] = controlsOf(from, to, inlet);
  for (let step = 1; step < SAMPLES; step += 1) {
    const t = step / SAMPLES;
    const point = { x: bezier(from.x, a.x, b.x, to.x, t), y: bezier(from.y, a.y, b.y, to.y, t) };
    if (boxes.some((box) => isInside(point, box))) return false;
  }
  return true;
}

/** The control points of React Flow's curve: `getBezierPath` with its default curvature. */
function controlsOf(from: NodePosition, to: NodePosition, inlet: Inlet): readonly [NodePosition, NodePosition] {
  const reach = (distance: number) => (distance >= 0 ? 0.5 * distance : 0.25 * 25 * Math.sqrt(-distance));
  const a = { x: from.x + reach(to.x - from.x), y: from.y };
  const b = inlet === "in" ? { x: to.x - reach(to.x - from.x), y: to.y } : { x: to.x, y: to.y - reach(to.y - from.y) };
  return [a, b];
}

function bezier(p0: number, p1: number, p2: number, p3: number, t: number): number {
  const s = 1 - t;
  return s * s * s * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t * p3;
}

function isInside({ x, y }: NodePosition, { left, top, right, bottom }: Box): boolean {
  return x > left && x < right && y > top && y < bottom;
}

/** Nodes farther away than this do not take part: a line that long is better crossed than searched for. */
const AROUND = 600;
/** A turn is worth this many pixels of detour: fewer corners are easier to follow. */
const BEND_COST = 80;
/** Gives up where a way would be found too slowly; the plain curve is drawn then. */
const STEPS_MAX = 30_000;

/**
 * The corners of the shortest way around all nodes, with few turns: A* over the grid that the outlines of the nodes
 * span. Null if there is none.
 */
function findWay(from: NodePosition, to: NodePosition, inlet: Inlet, all: readonly Box[]): NodePosition[] | null {
  const begin = { x: from.x + TURN, y: from.y };
  const end = inlet === "in" ? { x: to.x - TURN, y: to.y } : { x: to.x, y: to.y - TURN };
  const near: Box = {
    left: Math.min(begin.x, end.x) - AROUND,
    top: Math.min(begin.y, end.y) - AROUND,
    right: Math.max(begin.x, end.x) + AROUND,
    bottom: Math.max(begin.y, end.y) + AROUND,
  };
  const boxes = all.filter((box) => overlaps(box, near));
  const xs = gridOf([begin.x, end.x, ...boxes.flatMap(({ left, right }) => [left - CLEAR, right + CLEAR])]);
  const ys = gridOf([begin.y, end.y, ...boxes.flatMap(({ top, bottom }) => [top - CLEAR, bottom + CLEAR])]);
  const walls = boxes.map(({ left, top, right, bottom }) => ({
    left: left - CLEAR + 1,
    top: top - CLEAR + 1,
    right: right + CLEAR - 1,
    bottom: bottom + CLEAR - 1,
  }));
  const path = search(xs, ys, walls, begin, end, inlet);
  return path ? withoutStraights([from, ...path, to]).slice(1, -1) : null;
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

function gridOf(values: readonly number[]): number[] {
  return [...new Set(values.map(Math.round))].toSorted((a, b) => a - b);
}

interface Step {
  readonly column: number;
  readonly row: number;
  /** The direction it was entered in: 0 sideways, 1 up or down. */
  readonly way: 0 | 1;
  readonly cost: number;
  readonly before: Step | null;
}

const MOVES = [
  { columns: 1, rows: 0, way: 0 },
  { columns: -1, rows: 0, way: 0 },
  { columns: 0, rows: 1, way: 1 },
  { columns: 0, rows: -1, way: 1 },
] as const;

function search(
  xs: readonly number[],
  ys: readonly number[],
  walls: readonly Box[],
  begin: NodePosition,
  end: NodePosition,
  inlet: Inlet,
): NodePosition[] | null {
  const goal = { column: xs.indexOf(Math.round(end.x)), row: ys.indexOf(Math.round(end.y)) };
  const x = (column: number) => xs[column] ?? 0;
  const y = (row: number) => ys[row] ?? 0;
  const left = ({ column, row }: Step) => Math.abs(x(column) - x(goal.column)) + Math.abs(y(row) - y(goal.row));
  const open = createHeap<Step>((step) => step.cost + left(step));
  const best = new Map<number, number>();
  const keyOf = (column: number, row: number, way: number) => (column * ys.length + row) * 2 + way;
  const start: Step = {
    column: xs.indexOf(Math.round(begin.x)),
    row: ys.indexOf(Math.round(begin.y)),
    way: 0,
    cost: 0,
    before: null,
  };
  open.add(start);
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const at = open.take();
    if (!at) return null;
    if (at.column === goal.column && at.row === goal.row) {
      const corners: NodePosition[] = [];
      for (let step: Step | null = at; step; step = step.before) corners.unshift({ x: x(step.column), y: y(step.row) });
      return corners;
    }
    for (const { columns, rows, way } of MOVES) {
      const column = at.column + columns;
      const row = at.row + rows;
      if (column < 0 || row < 0 || column >= xs.length || row >= ys.length) continue;
      if (isWalled(x(at.column), y(at.row), x(column), y(row), walls)) continue;
      const isGoal = column === goal.column && row === goal.row;
      const entersAt = inlet === "in" ? 0 : 1;
      const bends = Number(way !== at.way) + Number(isGoal && way !== entersAt);
      const length = Math.abs(x(column) - x(at.column)) + Math.abs(y(row) - y(at.row));
      const cost = at.cost + length + bends * BEND_COST;
      const key = keyOf(column, row, way);
      if (cost >= (best.get(key) ?? Number.POSITIVE_INFINITY)) continue;
      best.set(key, cost);
      open.add({ column, row, way, cost, before: at });
    }
  }
  return null;
}

function isWalled(x1: number, y1: number, x2: number, y2: number, walls: readonly Box[]): boolean {
  const piece = { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
  return walls.some(
    ({ left, top, right, bottom }) =>
      piece.left < right && piece.right > left && piece.top < bottom && piece.bottom > top,
  );
}

function withoutStraights(points: readonly NodePosition[]): NodePosition[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    if (!before || !after) return true;
    const isStraight =
      (before.x === point.x && point.x === after.x) ||
      (Math.abs(before.y - point.y) < 1 && Math.abs(point.y - after.y) < 1);
    return !isStraight;
  });
}

/** A binary heap: the one with the lowest rank comes first. */
function createHeap<Item>(rankOf: (item: Item) => number) {
  const items: { readonly item: Item; readonly rank: number }[] = [];
  const rank = (index: number) => items[index]?.rank ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number) => {
    const [first, second] = [items[one], items[other]];
    if (!first || !second) return;
    items[one] = second;
    items[other] = first;
  };
  return {
    add(item: Item): void {
      items.push({ item, rank: rankOf(item) });
      for (let at = items.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (rank(parent) <= rank(at)) break;
        swap(parent, at);
        at = parent;
      }
    },
    take(): Item | null {
      const [first] = items;
      if (!first) return null;
      swap(0, items.length - 1);
      items.pop();
      for (let at = 0; ; ) {
        const child = 2 * at + 1;
        const least = rank(child) <= rank(child + 1) ? child : child + 1;
        if (rank(least) >= rank(at)) break;
        swap(at, least);
        at = least;
      }
      return first.item;
    },
  };
}

const CORNER = 12;

/** The route as an SVG path with rounded corners. */
export function pathOfRoute({ from, to, corners }: Route): string {
  const points = [from, ...corners, to];
  const pieces = corners.map((corner, index) => {
    const before = points[index] ?? corner;
    const after = points[index + 2] ?? corner;
    const into = toward(corner, before);
    const out = toward(corner, after);
    return `L${into.x} ${into.y}Q${corner.x} ${corner.y} ${out.x} ${out.y}`;
  });
  return `M${from.x} ${from.y}${pieces.join("")}L${to.x} ${to.y}`;
}

function toward(corner: NodePosition, other: NodePosition): NodePosition {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y);
  const by = length === 0 ? 0 : Math.min(CORNER, length / 2) / length;
  return { x: corner.x + (other.x - corner.x) * by, y: corner.y + (other.y - corner.y) * by };
}
