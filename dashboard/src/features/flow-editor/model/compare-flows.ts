import type { Flow, FlowNode } from "@parley/contract/flow";

export interface FieldChange {
  /** Its path, such as `exits[0].when`. */
  readonly path: string;
  /** Omitted if there was, or is, none. */
  readonly before?: string;
  readonly after?: string;
}

export interface ChangedNode {
  readonly before: FlowNode;
  readonly after: FlowNode;
  readonly fields: readonly FieldChange[];
}

interface FlowComparison {
  readonly added: readonly FlowNode[];
  readonly removed: readonly FlowNode[];
  readonly changed: readonly ChangedNode[];
  /** Variables, tools and settings. */
  readonly around: readonly FieldChange[];
  readonly isSame: boolean;
}

/** What is different for a call. Positions of nodes and comments make no difference. */
export function compareFlows(before: Flow, after: Flow): FlowComparison {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const kept = new Set(after.nodes.map(({ id }) => id));
  const added = after.nodes.filter(({ id }) => !old.has(id));
  const removed = before.nodes.filter(({ id }) => !kept.has(id));
  const changed = after.nodes.flatMap((node): ChangedNode[] => {
    const was = old.get(node.id);
    const fields = was ? compareFields(withoutPlace(was), withoutPlace(node)) : [];
    return was && fields.length > 0 ? [{ before: was, after: node, fields }] : [];
  });
  const around = compareFields(aroundOf(before), aroundOf(after));
  return {
    added,
    removed,
    changed,
    around,
    isSame: added.length + removed.length + changed.length + around.length === 0,
  };
}

function withoutPlace({ position: _, ...node }: FlowNode): object {
  return node;
}

function aroundOf({ variables, tools = [], settings = {} }: Flow): object {
  return { variables, tools, settings };
}

function compareFields(before: object, after: object): FieldChange[] {
  const was = new Map(leavesOf(before, ""));
  const is = new Map(leavesOf(after, ""));
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((path): FieldChange[] => {
    const [one, other] = [was.get(path), is.get(path)];
    if (one === other) return [];
    return [{ path, ...(one === undefined ? {} : { before: one }), ...(other === undefined ? {} : { after: other }) }];
  });
}

/** Every value in a document with its path. */
function leavesOf(value: unknown, path: string): [string, string][] {
  if (value === undefined) return [];
  if (value === null || typeof value !== "object") return [[path, String(value)]];
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  return Object.entries(value).flatMap(([name, item]) => leavesOf(item, path === "" ? name : `${path}.${name}`));
}

/** Whether two documents are equal. A database may return fields in another order, which means nothing. */
export function isSameFlow(one: Flow, other: Flow): boolean {
  return write(one) === write(other);
}

function write(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
