import type { FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { editorModelText } from "./text.ts";

/** An exit of a node. */
interface Exit {
  /** Its field, such as `next` or `exits[1].next`. Problems of a flow use the same name. */
  readonly id: string;
  /** A short label for when it is taken. */
  readonly label: string;
  /** The plain continuation, an answer or condition, the rest, or a failure. */
  readonly kind: "next" | "case" | "otherwise" | "failed";
  readonly to: string | undefined;
}

/** All exits of a node, in the order in which they are tried, including unconnected ones. */
export function exitsOf(node: FlowNode): readonly Exit[] {
  switch (node.type) {
    case "say":
      return node.global?.returns === true ? [] : [next(node.next, editorModelText.continues)];
    case "start":
    case "set":
    case "dtmf":
      return [next(node.next, editorModelText.continues)];
    case "ask":
      return exitsOfAsk(node);
    case "conversation":
      return [...cases(node.exits, "exits"), otherwise(node.otherwise, editorModelText.outOfTurns)];
    case "branch":
      return [
        ...cases(node.exits, "exits"),
        ...cases(node.prompts ?? [], "prompts"),
        otherwise(node.otherwise, editorModelText.otherwise),
      ];
    case "tool":
      return [next(node.next, editorModelText.answered), failed(node.failed, editorModelText.failed)];
    case "transfer":
      return [failed(node.failed, editorModelText.notConnected)];
    case "subflow":
      return cases(node.exits, "exits");
    case "voicemail":
    case "end":
      return [];
  }
}

function exitsOfAsk(ask: AskNode): readonly Exit[] {
  // If every answer has its own exit, one for all others is unnecessary.
  const hasOwn = ask.answer === "choice" || (ask.answer === "yes_no" && ask.exits.length >= 2);
  const rest = next(ask.next, ask.exits.length > 0 ? editorModelText.anyOtherAnswer : editorModelText.answered);
  return [
    ...(ask.answer === "yes_no" ? cases(ask.exits, "exits").map(withWord) : cases(ask.exits, "exits")),
    ...(hasOwn && ask.next === undefined ? [] : [rest]),
    otherwise(ask.otherwise, editorModelText.notUnderstood),
  ];
}

function cases(exits: readonly { readonly when: string; readonly next?: string | undefined }[], list: string): Exit[] {
  return exits.map(({ when, next: to }, index) => ({
    id: `${list}[${index}].next`,
    label: when.trim() === "" ? editorModelText.noConditionYet : when,
    kind: "case",
    to,
  }));
}

const YES_NO: Readonly<Record<string, string>> = { yes: editorModelText.yes, no: editorModelText.no };

function withWord(exit: Exit): Exit {
  return { ...exit, label: YES_NO[exit.label] ?? exit.label };
}

function next(to: string | undefined, label: string): Exit {
  return { id: "next", label, kind: "next", to };
}

function otherwise(to: string | undefined, label: string): Exit {
  return { id: "otherwise", label, kind: "otherwise", to };
}

function failed(to: string | undefined, label: string): Exit {
  return { id: "failed", label, kind: "failed", to };
}

const LISTED = /^(exits|prompts)\[(\d+)\]\.next$/;

/** The node with one of its exits connected elsewhere, or disconnected. An unknown exit changes nothing. */
export function withExit(node: FlowNode, exitId: string, to: string | undefined): FlowNode {
  const listed = LISTED.exec(exitId);
  if (listed) return withListedExit(node, listed[1] ?? "", Number(listed[2]), to);
  const has =
    (exitId === "next" && !["conversation", "branch", "subflow", "transfer", "voicemail", "end"].includes(node.type)) ||
    (exitId === "otherwise" && ["ask", "conversation", "branch"].includes(node.type)) ||
    (exitId === "failed" && ["tool", "transfer"].includes(node.type));
  return has ? (withField(node, exitId, to) as FlowNode) : node;
}

/** The node with every exit to one of these ids redirected by the map. */
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

/** An unconnected exit has no such field in the document. */
function withField(holder: object, field: string, to: string | undefined): object {
  if (to !== undefined) return { ...holder, [field]: to };
  const rest = { ...holder } as Record<string, unknown>;
  delete rest[field];
  return rest;
}
