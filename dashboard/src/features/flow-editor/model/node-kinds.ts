import type { FlowNode } from "@parley/contract/flow";
import { withoutMarkup } from "@parley/flow/markup";

export type NodeType = FlowNode["type"];

interface NodeKind {
  readonly type: NodeType;
  readonly name: string;
  /** What a call does there, shown in the picker. */
  readonly purpose: string;
  /** Further search terms. */
  readonly alsoFoundBy: string;
}

/** The kinds of nodes, in the order of use. */
export const NODE_KINDS: readonly NodeKind[] = [
  { type: "start", name: "Start", purpose: "Where the call begins", alsoFoundBy: "begin entry" },
  { type: "say", name: "Say", purpose: "Says something, then continues", alsoFoundBy: "speak tell text message" },
  {
    type: "ask",
    name: "Ask",
    purpose: "Asks a question and follows the answer",
    alsoFoundBy: "question listen collect",
  },
  {
    type: "conversation",
    name: "Conversation",
    purpose: "Lets a language model talk freely",
    alsoFoundBy: "llm ai prompt model agent",
  },
  { type: "branch", name: "Branch", purpose: "Takes a path by a condition", alsoFoundBy: "if condition switch decide" },
  { type: "set", name: "Set", purpose: "Saves values for later", alsoFoundBy: "variable value assign" },
  {
    type: "tool",
    name: "Request",
    purpose: "Sends an HTTP request to another service",
    alsoFoundBy: "tool http api webhook",
  },
  { type: "transfer", name: "Transfer", purpose: "Connects the callee to someone else", alsoFoundBy: "human forward" },
  { type: "dtmf", name: "Press keys", purpose: "Presses keys, for phone menus", alsoFoundBy: "dtmf digits menu ivr" },
  {
    type: "voicemail",
    name: "Voicemail",
    purpose: "The message left on a voicemail",
    alsoFoundBy: "machine beep message",
  },
  { type: "end", name: "End", purpose: "Says goodbye and hangs up", alsoFoundBy: "hang up finish goodbye" },
];

/** Whether a call goes on after a node of this kind, so that it can stand between two others. */
export function leadsOn(type: NodeType): boolean {
  return !["start", "voicemail", "end", "transfer"].includes(type);
}

const BY_TYPE = new Map(NODE_KINDS.map((kind) => [kind.type, kind]));

export function nameOfType(type: NodeType): string {
  return BY_TYPE.get(type)?.name ?? type;
}

/** The display name of a node. */
export function titleOf(node: FlowNode): string {
  const label = node.label?.trim();
  if (label) return label;
  const words = node.id.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is said or done there, on one line. */
export function summaryOf(node: FlowNode): string {
  switch (node.type) {
    case "start":
      return "";
    case "say":
    case "ask":
    case "voicemail":
      return withoutMarkup(node.text);
    case "end":
      return withoutMarkup(node.text ?? "Hangs up");
    case "conversation":
      return node.prompt;
    case "branch":
      return "";
    case "tool":
      return `${node.request.method} ${node.request.url}`.trim();
    case "set":
      return node.values.map(({ saveAs, value }) => `${saveAs} = ${value}`).join(", ");
    case "transfer":
      return node.to;
    case "dtmf":
      return node.keys;
  }
}
