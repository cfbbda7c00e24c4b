import { EMPTY_FLOW, Flow, type FlowComment, type FlowGroup, type FlowNode } from "@parley/contract/flow";
import { COMMENT } from "./editor-store.ts";
import { withTargets } from "./exits.ts";
import { wholeGroups, withNodesOfGroups } from "./groups.ts";
import { freeId, type NodePosition } from "./new-node.ts";

interface FlowPart {
  readonly parleyFlowPart: 1;
  readonly nodes: readonly FlowNode[];
  readonly comments: readonly FlowComment[];
  readonly groups: readonly FlowGroup[];
}

/** The selection as a text that can be pasted here, in another agent or into a mail. */
export function copyPart(flow: Flow, selection: readonly string[]): string {
  const chosen = new Set(withNodesOfGroups(flow, selection));
  const part: FlowPart = {
    parleyFlowPart: 1,
    nodes: flow.nodes.filter(({ id }) => chosen.has(id)),
    comments: (flow.comments ?? []).filter(({ id }) => chosen.has(`${COMMENT}${id}`)),
    groups: wholeGroups(flow, chosen),
  };
  return JSON.stringify(part, null, 2);
}

interface Pasted {
  readonly flow: Flow;
  /** What was pasted, to be selected. */
  readonly selection: readonly string[];
}

/**
 * Adds what was copied, with its upper left corner at the given position or slightly offset from the original. Null
 * when the text is not ours. Nodes get unused ids; lines between them are kept, and lines to others if such nodes exist
 * here. A second start or voicemail message would break the flow and is dropped.
 */
export function pastePart(flow: Flow, text: string, at: NodePosition | null): Pasted | null {
  const part = readPart(text);
  if (!part) return null;
  const single = new Set<string>(
    flow.nodes.map(({ type }) => type).filter((type) => type === "start" || type === "voicemail"),
  );
  const nodes = part.nodes.filter(({ type }) => !single.has(type));
  const shift = shiftTo([...nodes, ...part.comments], at);
  const names = new Map<string, string>();
  let grown: Flow = flow;
  for (const node of nodes) {
    const id = freeId(grown, node.id);
    names.set(node.id, id);
    grown = { ...grown, nodes: [...grown.nodes, { ...node, id, position: shift(node.position) }] };
  }
  const known = new Set(flow.nodes.map(({ id }) => id));
  const leads = (to: string) => names.get(to) ?? (known.has(to) ? to : undefined);
  const pasted = new Set(names.values());
  const joined = grown.nodes.map((node) => (pasted.has(node.id) ? withTargets(node, leads) : node));
  const selection = [...pasted];
  const comments = [...(flow.comments ?? [])];
  for (const comment of part.comments) {
    const id = freeId({ nodes: grown.nodes, comments }, comment.id);
    comments.push({ ...comment, id, position: shift(comment.position) });
    selection.push(`${COMMENT}${id}`);
  }
  const groups = [...(flow.groups ?? [])];
  for (const group of part.groups) {
    const nodeIds = group.nodeIds.flatMap((id) => names.get(id) ?? []);
    if (nodeIds.length > 0) {
      groups.push({ ...group, id: freeId({ nodes: grown.nodes, comments, groups }, group.id), nodeIds });
    }
  }
  const around = { ...(comments.length > 0 ? { comments } : {}), ...(groups.length > 0 ? { groups } : {}) };
  return { flow: { ...grown, nodes: joined, ...around }, selection };
}

/** Duplicates the selection next to itself. */
export function duplicatePart(flow: Flow, selection: readonly string[]): Pasted | null {
  return pastePart(flow, copyPart(flow, selection), null);
}

function readPart(text: string): Omit<FlowPart, "parleyFlowPart"> | null {
  if (!text.includes("parleyFlowPart")) return null;
  try {
    const { parleyFlowPart, nodes, comments, groups } = JSON.parse(text) as Partial<Record<keyof FlowPart, unknown>>;
    const read = parleyFlowPart === 1 ? Flow.safeParse({ ...EMPTY_FLOW, nodes, comments, groups }).data : undefined;
    return read ? { nodes: read.nodes, comments: read.comments ?? [], groups: read.groups ?? [] } : null;
  } catch {
    // Other clipboard content is not part of a flow.
    return null;
  }
}

const STEP = 40;

function shiftTo(things: readonly { readonly position?: NodePosition | undefined }[], at: NodePosition | null) {
  const places = things.flatMap(({ position }) => (position ? [position] : []));
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const by = at && places.length > 0 ? { x: at.x - left, y: at.y - top } : { x: STEP, y: STEP };
  return (position: NodePosition | undefined) => ({
    x: Math.round((position?.x ?? at?.x ?? 0) + (position ? by.x : 0)),
    y: Math.round((position?.y ?? at?.y ?? 0) + (position ? by.y : 0)),
  });
}
