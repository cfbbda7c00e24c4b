import type { FlowNode } from "@parley/contract/flow";

/** A reference from one node to another, and where it stands in the document. */
export interface FlowEdge {
  /** Left out where a draft does not say yet. */
  readonly to: string | undefined;
  /** Relative to the node, such as `next` or `exits[1].next`. */
  readonly field: string;
}

/** Where a node can lead. */
export function edgesOf(node: FlowNode): FlowEdge[] {
  switch (node.type) {
    case "start":
    case "say":
      return [{ to: node.next, field: "next" }];
    case "ask":
    case "branch":
      return [
        ...node.exits.map((exit, index) => ({ to: exit.next, field: `exits[${index}].next` })),
        { to: node.otherwise, field: "otherwise" },
      ];
    case "end":
      return [];
  }
}

/** Every id that can be come to from the given ones, themselves included. Ids that do not exist lead nowhere. */
export function reachableFrom(
  ids: Iterable<string>,
  neighbours: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set(ids);
  // A set that grows while it is walked visits what was added, each id once.
  for (const id of reached) {
    for (const next of neighbours.get(id) ?? []) reached.add(next);
  }
  return reached;
}

/** The edges forwards and backwards, by id. */
export function neighboursOf(nodes: readonly FlowNode[]): {
  readonly after: ReadonlyMap<string, ReadonlySet<string>>;
  readonly before: ReadonlyMap<string, ReadonlySet<string>>;
} {
  const after = new Map<string, Set<string>>(nodes.map((node) => [node.id, new Set()]));
  const before = new Map<string, Set<string>>(nodes.map((node) => [node.id, new Set()]));
  for (const node of nodes) {
    for (const { to } of edgesOf(node)) {
      if (to === undefined) continue;
      after.get(node.id)?.add(to);
      before.get(to)?.add(node.id);
    }
  }
  return { after, before };
}
