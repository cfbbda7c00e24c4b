import type { Flow, FlowNode } from "@parley/contract/flow";

/** A reference from one node to another, and its location in the document. */
interface FlowEdge {
  /** Omitted if a draft does not define it yet. */
  readonly to: string | undefined;
  /** Relative to the node, such as `next` or `exits[1].next`. */
  readonly field: string;
}

type Neighbours = ReadonlyMap<string, ReadonlySet<string>>;

/** The outgoing references of a node. */
export function edgesOf(node: FlowNode): FlowEdge[] {
  switch (node.type) {
    case "say":
      return node.global?.returns === true ? [] : [{ to: node.next, field: "next" }];
    case "start":
    case "set":
    case "dtmf":
      return [{ to: node.next, field: "next" }];
    case "ask":
      return [
        ...edgesOfExits(node.exits, "exits"),
        ...(node.next === undefined ? [] : [{ to: node.next, field: "next" }]),
        { to: node.otherwise, field: "otherwise" },
      ];
    case "conversation":
      return [...edgesOfExits(node.exits, "exits"), { to: node.otherwise, field: "otherwise" }];
    case "branch":
      return [
        ...edgesOfExits(node.exits, "exits"),
        ...edgesOfExits(node.prompts ?? [], "prompts"),
        { to: node.otherwise, field: "otherwise" },
      ];
    case "tool":
      return [
        { to: node.next, field: "next" },
        { to: node.failed, field: "failed" },
      ];
    case "transfer":
      return [{ to: node.failed, field: "failed" }];
    case "subflow":
      return edgesOfExits(node.exits, "exits");
    case "voicemail":
    case "end":
      return [];
  }
}

function edgesOfExits(exits: readonly { readonly next?: string | undefined }[], list: string): FlowEdge[] {
  return exits.map((exit, index) => ({ to: exit.next, field: `${list}[${index}].next` }));
}

/** Whether the callee can speak at this node, and jump to a global one. */
export function isListening(node: FlowNode): boolean {
  return node.type === "ask" || node.type === "conversation";
}

/** Whether the call ends here, or returns to where it was. */
export function isFinal(node: FlowNode): boolean {
  if (node.type === "say") return node.global?.returns === true;
  return node.type === "end" || node.type === "voicemail" || node.type === "transfer";
}

export function isGlobal(node: FlowNode): boolean {
  return "global" in node && node.global !== undefined;
}

/** The ids at which a call can begin, or to which it can jump without an edge. */
export function entriesOf(flow: Flow): string[] {
  const entries = flow.nodes.filter((node) => node.type === "start" || node.type === "voicemail" || isGlobal(node));
  return [...entries.map(({ id }) => id), ...(flow.settings?.phoneMenu === undefined ? [] : [flow.settings.phoneMenu])];
}

/** Every id that is reachable from the given ones, including themselves. Unknown ids lead nowhere. */
export function reachableFrom(ids: Iterable<string>, neighbours: Neighbours): ReadonlySet<string> {
  const reached = new Set(ids);
  // Iterating over a set that grows visits what was added, each id once.
  for (const id of reached) {
    for (const next of neighbours.get(id) ?? []) reached.add(next);
  }
  return reached;
}

/** The edges forwards and backwards, by id. */
export function neighboursOf(nodes: readonly FlowNode[]): { readonly after: Neighbours; readonly before: Neighbours } {
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

/** The forward edges together with the jumps from every node where the callee can speak to every global node. */
export function edgesAndJumps(nodes: readonly FlowNode[]): Neighbours {
  const globals = nodes.filter(isGlobal).map(({ id }) => id);
  const { after } = neighboursOf(nodes);
  return new Map(
    nodes.map((node) => [node.id, new Set([...(after.get(node.id) ?? []), ...(isListening(node) ? globals : [])])]),
  );
}
