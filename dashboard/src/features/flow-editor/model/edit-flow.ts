import type { Flow, FlowComment, FlowNode } from "@parley/contract/flow";
import { ANSWER_RULES } from "@parley/flow/checks/answers";
import { renameCollected } from "@parley/flow/sub-flows/rename-collected";
import { COMMENT } from "./editor-store.ts";
import { exitsOf, withExit, withTargets } from "./exits.ts";
import { leaving, withMembers } from "./groups.ts";
import { NODE_WIDTH } from "./layout/node-size.ts";
import { freeId, type NodePosition, newNode } from "./new-node.ts";
import type { NodeType } from "./node-kinds.ts";

// Every operation keeps the identity of what it does not touch: the canvas redraws only what changed.

export interface Added {
  readonly flow: Flow;
  readonly id: string;
}

/** What new nodes are called by where the type is not the word that people know them by. */
const STEMS: Partial<Readonly<Record<NodeType, string>>> = {
  tool: "request",
  dtmf: "press_keys",
  subflow: "sub_flow",
};

/** Adds a node of a type. The first node of an empty flow is not connected; others are connected by hand. */
export function addNode(flow: Flow, type: NodeType, position: NodePosition): Added {
  const id = freeId(flow, STEMS[type] ?? type);
  return { flow: { ...flow, nodes: [...flow.nodes, newNode(type, id, position)] }, id };
}

/** Adds a node of a type after an exit, which then leads there. */
export function addNodeAfter(
  flow: Flow,
  type: NodeType,
  position: NodePosition,
  fromId: string,
  exitId: string,
): Added {
  const added = addNode(flow, type, position);
  return { flow: connect(added.flow, fromId, exitId, added.id), id: added.id };
}

const BEHIND = 96;

/** Puts a new node between an exit and the node it leads to. Null if the exit does not exist. */
export function insertNode(
  flow: Flow,
  type: NodeType,
  fromId: string,
  exitId: string,
  placeFor: (wanted: NodePosition) => NodePosition,
): Added | null {
  const from = flow.nodes.find(({ id }) => id === fromId);
  const exit = from && exitsOf(from).find(({ id }) => id === exitId);
  if (!from || !exit) return null;
  const { x, y } = from.position ?? { x: 0, y: 0 };
  const added = addNodeAfter(flow, type, placeFor({ x: x + NODE_WIDTH + BEHIND, y }), fromId, exitId);
  const node = added.flow.nodes.find(({ id }) => id === added.id);
  const [onwards] = node ? exitsOf(node) : [];
  if (!onwards || exit.to === undefined) return added;
  return { flow: connect(added.flow, added.id, onwards.id, exit.to), id: added.id };
}

/** Replaces the node with the same id. A question of another kind keeps the answers that match it. */
export function replaceNode(flow: Flow, node: FlowNode): Flow {
  return { ...flow, nodes: flow.nodes.map((old) => (old.id === node.id ? fitAnswers(old, node) : old)) };
}

/** Removes nodes, and every reference to them. */
export function removeNodes(flow: Flow, ids: ReadonlySet<string>): Flow {
  const nodes = flow.nodes.flatMap((node) => {
    if (ids.has(node.id)) return [];
    return leadsToAny(node, ids) ? [withTargets(node, (to) => (ids.has(to) ? undefined : to))] : [node];
  });
  return withMenu({ ...leaving(flow, [...ids]), nodes }, (to) => (ids.has(to) ? undefined : to));
}

/** Moves nodes and comments. Comments are named as in a selection. */
export function moveTo(flow: Flow, positions: ReadonlyMap<string, NodePosition>): Flow {
  const moved = <Thing extends { readonly position?: NodePosition | undefined }>(thing: Thing, name: string): Thing => {
    const position = positions.get(name);
    return position ? { ...thing, position: rounded(position) } : thing;
  };
  const nodes = flow.nodes.map((node) => moved(node, node.id));
  if (!flow.comments) return { ...flow, nodes };
  return { ...flow, nodes, comments: flow.comments.map((comment) => moved(comment, `${COMMENT}${comment.id}`)) };
}

/** Connects an exit to a node. Nothing leads to a start, nor to a voicemail message. */
export function connect(flow: Flow, fromId: string, exitId: string, toId: string): Flow {
  const from = flow.nodes.find(({ id }) => id === fromId);
  return from && mayLeadTo(flow, toId) ? replaceNode(flow, withExit(from, exitId, toId)) : flow;
}

export function disconnect(flow: Flow, fromId: string, exitId: string): Flow {
  const from = flow.nodes.find(({ id }) => id === fromId);
  return from ? replaceNode(flow, withExit(from, exitId, undefined)) : flow;
}

export function mayLeadTo(flow: Flow, toId: string): boolean {
  const to = flow.nodes.find(({ id }) => id === toId);
  return to !== undefined && to.type !== "start" && to.type !== "voicemail";
}

/** Renames a node, and all references to it and to what it collects as a sub-flow. Null if the id is taken or invalid. */
export function renameNode(flow: Flow, fromId: string, toId: string): Flow | null {
  if (fromId === toId) return flow;
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(toId) || flow.nodes.some(({ id }) => id === toId)) return null;
  const moved = new Set([fromId]);
  const leads = (to: string) => (to === fromId ? toId : to);
  const nodes = flow.nodes.map((node) => {
    const renamed = node.id === fromId ? { ...node, id: toId } : node;
    return leadsToAny(node, moved) ? withTargets(renamed, leads) : renamed;
  });
  const renamed = withMenu({ ...withMembers(flow, leads), nodes }, leads);
  const isSubFlow = flow.nodes.some(({ id, type }) => id === fromId && type === "subflow");
  return isSubFlow ? renameCollected(renamed, fromId, toId) : renamed;
}

export function addComment(flow: Flow, position: NodePosition): Added {
  const id = freeId(flow, "comment");
  const comment: FlowComment = { id, text: "", position: rounded(position) };
  return { flow: { ...flow, comments: [...(flow.comments ?? []), comment] }, id };
}

export function replaceComment(flow: Flow, comment: FlowComment): Flow {
  return { ...flow, comments: (flow.comments ?? []).map((old) => (old.id === comment.id ? comment : old)) };
}

export function removeComments(flow: Flow, ids: ReadonlySet<string>): Flow {
  const comments = (flow.comments ?? []).filter(({ id }) => !ids.has(id));
  const { comments: _, ...rest } = flow;
  return comments.length > 0 ? { ...rest, comments } : rest;
}

function leadsToAny(node: FlowNode, ids: ReadonlySet<string>): boolean {
  let found = false;
  withTargets(node, (to) => {
    found ||= ids.has(to);
    return to;
  });
  return found;
}

function withMenu(flow: Flow, leads: (to: string) => string | undefined): Flow {
  const menu = flow.settings?.phoneMenu;
  if (menu === undefined || leads(menu) === menu) return flow;
  const { phoneMenu: _, ...settings } = flow.settings ?? {};
  const to = leads(menu);
  return { ...flow, settings: to === undefined ? settings : { ...settings, phoneMenu: to } };
}

/** Fractions of a pixel mean nothing and make documents long. */
function rounded({ x, y }: NodePosition): { x: number; y: number } {
  return { x: Math.round(x), y: Math.round(y) };
}

/**
 * After another kind of answer was chosen: only the exits that such an answer can take, and for a yes or no both. What
 * was chosen before is one step back.
 */
function fitAnswers(before: FlowNode, after: FlowNode): FlowNode {
  if (before.type !== "ask" || after.type !== "ask" || before.answer === after.answer) return after;
  const rule = ANSWER_RULES[after.answer];
  const fitting = after.exits.filter(({ when }) => rule.canonical(when) !== null);
  if (after.answer === "yes_no" && fitting.length === 0) {
    return { ...after, exits: [{ when: "yes" }, { when: "no" }] };
  }
  return fitting.length === after.exits.length ? after : { ...after, exits: fitting };
}
