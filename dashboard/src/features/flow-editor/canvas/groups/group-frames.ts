import type { Flow, FlowGroup } from "@parley/contract/flow";
import type { Node, NodePositionChange } from "@xyflow/react";
import { GROUP } from "../../model/editor-store.ts";
import { type Box, frameAround, frameOf } from "../../model/groups.ts";
import type { NodePosition } from "../../model/new-node.ts";
import { groupsText } from "./text.ts";

interface GroupData extends Record<string, unknown> {
  readonly group: FlowGroup;
}
export type GroupNode = Node<GroupData, "group">;

/** The frames of all groups that have nodes. Unchanged ones keep their identity. */
export function groupFrames(
  flow: Flow,
  selection: ReadonlySet<string>,
  before: ReadonlyMap<string, Node>,
): GroupNode[] {
  return (flow.groups ?? []).flatMap((group) => {
    const frame = frameOf(group, flow);
    if (!frame) return [];
    const id = `${GROUP}${group.id}`;
    const selected = selection.has(id);
    const old = before.get(id) as GroupNode | undefined;
    if (old?.selected === selected && old.data.group === group && isAt(old, frame)) return [old];
    return [
      {
        id,
        type: "group" as const,
        data: { group },
        selected,
        ...placedAt(frame),
        handles: [],
        zIndex: -2,
        // Only its header takes the pointer: what lies in the frame is selected and dragged as elsewhere.
        style: { pointerEvents: "none" as const },
        ariaLabel: groupsText.group(group.name),
      },
    ];
  });
}

/** The frames around where the nodes are now, which may be ahead of the document. */
export function reframed<Shown extends Node>(nodes: readonly Shown[]): Shown[] {
  if (!nodes.some(({ type }) => type === "group")) return [...nodes];
  const boxes = new Map(
    nodes.map(({ id, position, width = 0, height = 0 }): [string, Box] => [id, { ...position, width, height }]),
  );
  return nodes.map((node) => {
    if (node.type !== "group") return node;
    const { group } = (node as unknown as GroupNode).data;
    const frame = frameAround(group.nodeIds.flatMap((id) => boxes.get(id) ?? []));
    return frame === null || isAt(node, frame) ? node : { ...node, ...placedAt(frame) };
  });
}

/** The moves with those of frames replaced by moves of the nodes in them. */
export function movesOfNodes(
  moves: readonly NodePositionChange[],
  groups: readonly FlowGroup[],
  placeOf: (id: string) => NodePosition | undefined,
): NodePositionChange[] {
  const moved = new Set(moves.map(({ id }) => id));
  return moves.flatMap((move) => {
    if (!move.id.startsWith(GROUP)) return [move];
    const group = groups.find(({ id }) => move.id === `${GROUP}${id}`);
    const from = placeOf(move.id);
    const to = move.position;
    if (!group || !from || !to) return [];
    return group.nodeIds.flatMap((id) => {
      const place = moved.has(id) ? undefined : placeOf(id);
      return place ? [{ ...move, id, position: { x: place.x + to.x - from.x, y: place.y + to.y - from.y } }] : [];
    });
  });
}

/** The position of a node or of a group's frame in the document. */
export function placesIn(flow: Flow): (id: string) => NodePosition | undefined {
  return (id) => {
    const group = id.startsWith(GROUP) ? flow.groups?.find((each) => id === `${GROUP}${each.id}`) : undefined;
    return group ? (frameOf(group, flow) ?? undefined) : flow.nodes.find((node) => node.id === id)?.position;
  };
}

function placedAt({ x, y, width, height }: Box) {
  return { position: { x, y }, width, height, measured: { width, height } };
}

function isAt({ position, width, height }: Node, frame: Box): boolean {
  return position.x === frame.x && position.y === frame.y && width === frame.width && height === frame.height;
}
