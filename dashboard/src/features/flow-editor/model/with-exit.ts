import type { FlowNode } from "@parley/contract/flow";

const LISTED = /^(exits|prompts)\[(\d+)\]\.next$/;

/** The node with one of its exits leading elsewhere, or nowhere. An exit it does not have changes nothing. */
export function withExit(node: FlowNode, exitId: string, to: string | undefined): FlowNode {
  const listed = LISTED.exec(exitId);
  if (listed) return withListedExit(node, listed[1] ?? "", Number(listed[2]), to);
  const has =
    (exitId === "next" && !["conversation", "branch", "transfer", "voicemail", "end"].includes(node.type)) ||
    (exitId === "otherwise" && ["ask", "conversation", "branch"].includes(node.type)) ||
    (exitId === "failed" && ["tool", "transfer"].includes(node.type));
  return has ? (withField(node, exitId, to) as FlowNode) : node;
}

/** The node with every exit that leads to one of these ids leading where the map says. */
export function withTargets(node: FlowNode, leads: (to: string) => string | undefined): FlowNode {
  const lists = Object.fromEntries(
    (["exits", "prompts"] as const).flatMap((list) => {
      const exits = readExits(node, list);
      return exits ? [[list, exits.map((exit) => redirected(exit, leads))]] : [];
    }),
  );
  const fields = (["next", "otherwise", "failed"] as const).reduce<object>((changed, field) => {
    const to = (node as Readonly<Record<string, unknown>>)[field];
    return typeof to === "string" ? withField(changed, field, leads(to)) : changed;
  }, node);
  return { ...fields, ...lists } as unknown as FlowNode;
}

interface ListedExit {
  readonly next?: string | undefined;
}

function redirected<E extends ListedExit>(exit: E, leads: (to: string) => string | undefined): E {
  return exit.next === undefined ? exit : (withField(exit, "next", leads(exit.next)) as E);
}

function withListedExit(node: FlowNode, list: string, index: number, to: string | undefined): FlowNode {
  const exits = readExits(node, list);
  if (!exits || index >= exits.length) return node;
  const changed = exits.map((exit, place) => (place === index ? withField(exit, "next", to) : exit));
  return { ...node, [list]: changed } as FlowNode;
}

function readExits(node: FlowNode, list: string): readonly ListedExit[] | undefined {
  return (node as unknown as Readonly<Record<string, readonly ListedExit[] | undefined>>)[list];
}

/** What leads nowhere has no such field, so that a document says only what is so. */
function withField(holder: object, field: string, to: string | undefined): object {
  if (to !== undefined) return { ...holder, [field]: to };
  const rest = { ...holder } as Record<string, unknown>;
  delete rest[field];
  return rest;
}
