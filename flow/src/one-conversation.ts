import type { FlowNode } from "@parley/contract/flow";
import { neighboursOf, reachableFrom } from "./graph.ts";

/** What may come before the conversation: it is spoken or set without waiting for anything. */
const BEFORE: ReadonlySet<FlowNode["type"]> = new Set(["start", "say", "set"]);
/** What may follow from it: none of these has to understand the callee. */
const AFTER: ReadonlySet<FlowNode["type"]> = new Set(["say", "set", "branch", "tool", "transfer", "dtmf", "end"]);

/**
 * Why a flow is more than one conversation, in a full sentence; null if it is one. Engines that are one model for hearing,
 * thinking and speaking conduct only such flows: they cannot be relied on to follow questions and branches step by step.
 */
export function whyNotOneConversation(nodes: readonly FlowNode[]): string | null {
  const conversations = nodes.filter(({ type }) => type === "conversation");
  const [conversation, second] = conversations;
  if (conversation === undefined) return "The flow has no conversation node.";
  if (second !== undefined) return `The flow has more than one conversation: ${conversation.id} and ${second.id}.`;
  for (const node of nodes) {
    if (node.type === "ask") return `The flow asks a question of its own in ${node.id}.`;
    if (node.type === "branch" && (node.prompts ?? []).length > 0)
      return `The branch ${node.id} needs a language model to decide.`;
    const isKnown = node === conversation || node.type === "voicemail" || BEFORE.has(node.type) || AFTER.has(node.type);
    if (!isKnown) return `The flow has the node ${node.id}, which such an engine cannot conduct.`;
  }
  return whyNotDirect(nodes, conversation);
}

/** The conversation must be reached from the start with nothing else to do on the way. */
function whyNotDirect(nodes: readonly FlowNode[], conversation: FlowNode): string | null {
  const { after } = neighboursOf(nodes);
  const start = nodes.find(({ type }) => type === "start");
  if (start === undefined) return "The flow has no start.";
  // What lies behind the conversation is not on the way to it.
  const open = new Map([...after].map(([id, next]) => [id, id === conversation.id ? new Set<string>() : next]));
  const reached = reachableFrom([start.id], open);
  if (!reached.has(conversation.id)) return `The start does not lead to the conversation ${conversation.id}.`;
  const inTheWay = nodes.find((node) => reached.has(node.id) && node !== conversation && !BEFORE.has(node.type));
  return inTheWay === undefined ? null : `The node ${inTheWay.id} comes before the conversation ${conversation.id}.`;
}
