import type { Flow, FlowGroup } from "@parley/contract/flow";
import type { Added } from "./edit-flow.ts";
import { GROUP } from "./editor-store.ts";
import { sizeOf } from "./layout/node-size.ts";
import { freeId, type NodePosition } from "./new-node.ts";

/** The space between a frame and its nodes, and for its name above them. */
const PADDING = 24;
const HEADER = 34;

/** What a frame is drawn around: a node, or the card that shows it. */
export interface Box extends NodePosition {
  readonly width: number;
  readonly height: number;
}

/** The frame of a group follows from its nodes, so that it fits after every move and layout. Null without any node. */
export function frameAround(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map(({ x }) => x)) - PADDING;
  const top = Math.min(...boxes.map(({ y }) => y)) - PADDING - HEADER;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + PADDING;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + PADDING;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function frameOf({ nodeIds }: FlowGroup, { nodes }: Pick<Flow, "nodes">): Box | null {
  const members = nodes.filter(({ id }) => nodeIds.includes(id));
  return frameAround(members.map((node) => ({ ...(node.position ?? { x: 0, y: 0 }), ...sizeOf(node) })));
}

/**
 * Groups the selected nodes, which leave other groups. With one group in the selection they join it. Null if there is
 * nothing to group.
 */
export function groupSelection(flow: Flow, selection: readonly string[]): Added | null {
  const chosen = flow.nodes.flatMap(({ id }) => (selection.includes(id) ? [id] : []));
  const [target, ...others] = groupsIn(flow, selection);
  if (target !== undefined && others.length === 0) {
    const joined = [...new Set([...target.nodeIds, ...chosen])];
    return joined.length === target.nodeIds.length
      ? null
      : { flow: withGroup(leaving(flow, chosen), { ...target, nodeIds: joined }), id: target.id };
  }
  const nodeIds = [...new Set([...groupsIn(flow, selection).flatMap((group) => group.nodeIds), ...chosen])];
  if (nodeIds.length < 2) return null;
  const id = freeId(flow, "group");
  return { flow: withGroup(leaving(flow, nodeIds), { id, name: "", nodeIds }), id };
}

/** Whether something selected is a group or belongs to one. */
export function isGrouped(flow: Flow, selection: readonly string[]): boolean {
  return (flow.groups ?? []).some(
    ({ id, nodeIds }) => selection.includes(`${GROUP}${id}`) || nodeIds.some((nodeId) => selection.includes(nodeId)),
  );
}

/** Removes the selected groups, and the selected nodes from theirs. The nodes stay. */
export function ungroupSelection(flow: Flow, selection: readonly string[]): Flow {
  const groups = (flow.groups ?? []).filter(({ id }) => !selection.includes(`${GROUP}${id}`));
  const kept = groups.length === (flow.groups ?? []).length ? flow : withGroups(flow, groups);
  return leaving(kept, selection);
}

export function replaceGroup(flow: Flow, group: FlowGroup): Flow {
  return withGroups(
    flow,
    (flow.groups ?? []).map((old) => (old.id === group.id ? group : old)),
  );
}

/** The flow without these nodes in its groups. A group that loses its last node is gone. */
export function leaving(flow: Flow, nodeIds: readonly string[]): Flow {
  const gone = new Set(nodeIds);
  return withMembers(flow, (id) => (gone.has(id) ? undefined : id));
}

/** The flow with the members of its groups renamed, or removed where the new name is undefined. */
export function withMembers(flow: Flow, rename: (id: string) => string | undefined): Flow {
  if (!flow.groups?.some(({ nodeIds }) => nodeIds.some((id) => rename(id) !== id))) return flow;
  const groups = flow.groups.flatMap((group) => {
    const nodeIds = group.nodeIds.flatMap((id) => rename(id) ?? []);
    return nodeIds.length === 0 ? [] : [{ ...group, nodeIds }];
  });
  return withGroups(flow, groups);
}

/** The selection with the nodes of the groups in it. */
export function withNodesOfGroups(flow: Flow, selection: readonly string[]): readonly string[] {
  return [...new Set([...selection, ...groupsIn(flow, selection).flatMap(({ nodeIds }) => nodeIds)])];
}

/** The groups whose nodes are all among these. */
export function wholeGroups(flow: Flow, nodeIds: ReadonlySet<string>): FlowGroup[] {
  return (flow.groups ?? []).filter((group) => group.nodeIds.every((id) => nodeIds.has(id)));
}

function groupsIn({ groups = [] }: Flow, selection: readonly string[]): readonly FlowGroup[] {
  return groups.filter(({ id }) => selection.includes(`${GROUP}${id}`));
}

function withGroup(flow: Flow, group: FlowGroup): Flow {
  return withGroups(flow, [...(flow.groups ?? []).filter(({ id }) => id !== group.id), group]);
}

function withGroups(flow: Flow, groups: readonly FlowGroup[]): Flow {
  const { groups: _, ...rest } = flow;
  return groups.length > 0 ? { ...rest, groups: [...groups] } : rest;
}
