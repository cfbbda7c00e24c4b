import type { FlowNode } from "@parley/contract/flow";
import { withoutMarkup } from "@parley/flow/markup";
import { subFlowsText } from "../sub-flows/text.ts";
import { editorModelText } from "./text.ts";

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
  {
    type: "start",
    name: editorModelText.startName,
    purpose: editorModelText.startPurpose,
    alsoFoundBy: editorModelText.startTerms,
  },
  {
    type: "say",
    name: editorModelText.sayName,
    purpose: editorModelText.sayPurpose,
    alsoFoundBy: editorModelText.sayTerms,
  },
  {
    type: "ask",
    name: editorModelText.askName,
    purpose: editorModelText.askPurpose,
    alsoFoundBy: editorModelText.askTerms,
  },
  {
    type: "conversation",
    name: editorModelText.conversationName,
    purpose: editorModelText.conversationPurpose,
    alsoFoundBy: editorModelText.conversationTerms,
  },
  {
    type: "branch",
    name: editorModelText.branchName,
    purpose: editorModelText.branchPurpose,
    alsoFoundBy: editorModelText.branchTerms,
  },
  {
    type: "set",
    name: editorModelText.setName,
    purpose: editorModelText.setPurpose,
    alsoFoundBy: editorModelText.setTerms,
  },
  {
    type: "tool",
    name: editorModelText.requestName,
    purpose: editorModelText.requestPurpose,
    alsoFoundBy: editorModelText.requestTerms,
  },
  {
    type: "subflow",
    name: subFlowsText.name,
    purpose: subFlowsText.purpose,
    alsoFoundBy: subFlowsText.terms,
  },
  {
    type: "transfer",
    name: editorModelText.transferName,
    purpose: editorModelText.transferPurpose,
    alsoFoundBy: editorModelText.transferTerms,
  },
  {
    type: "dtmf",
    name: editorModelText.dtmfName,
    purpose: editorModelText.dtmfPurpose,
    alsoFoundBy: editorModelText.dtmfTerms,
  },
  {
    type: "voicemail",
    name: editorModelText.voicemailName,
    purpose: editorModelText.voicemailPurpose,
    alsoFoundBy: editorModelText.voicemailTerms,
  },
  {
    type: "end",
    name: editorModelText.endName,
    purpose: editorModelText.endPurpose,
    alsoFoundBy: editorModelText.endTerms,
  },
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
      return withoutMarkup(node.text ?? editorModelText.hangsUp);
    case "conversation":
      return node.prompt;
    case "branch":
      return "";
    case "tool":
      return `${node.request.method} ${node.request.url}`.trim();
    case "set":
      return node.values.map(({ saveAs, value }) => `${saveAs} = ${value}`).join(", ");
    case "subflow":
      return node.version === undefined ? "" : subFlowsText.version(node.version);
    case "transfer":
      return node.to;
    case "dtmf":
      return node.keys;
  }
}
