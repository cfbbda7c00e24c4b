import type { Flow, FlowNode } from "@parley/contract/flow";
import type { NodeType } from "./node-kinds.ts";

export interface NodePosition {
  readonly x: number;
  readonly y: number;
}

/** A new node from the palette: with its required fields, empty. */
export function newNode(type: NodeType, id: string, position: NodePosition): FlowNode {
  const placed = { id, position: { ...position } };
  switch (type) {
    case "say":
    case "voicemail":
      return { ...placed, type, text: "" };
    case "ask":
      return { ...placed, type, text: "", answer: "yes_no", exits: [{ when: "yes" }, { when: "no" }] };
    case "conversation":
      return { ...placed, type, prompt: "", exits: [] };
    case "branch":
      return { ...placed, type, exits: [{ when: "" }] };
    case "tool":
      return { ...placed, type, request: { method: "POST", url: "" } };
    case "set":
      return { ...placed, type, values: [] };
    case "transfer":
      return { ...placed, type, to: "" };
    case "dtmf":
      return { ...placed, type, keys: "" };
    case "subflow":
      return { ...placed, type, exits: [] };
    case "start":
    case "end":
      return { ...placed, type };
  }
}

/** An id that no node, comment or group has: the preferred one, or with the next free number appended. */
export function freeId(flow: Pick<Flow, "nodes" | "comments" | "groups">, wanted: string): string {
  const taken = new Set([...flow.nodes, ...(flow.comments ?? []), ...(flow.groups ?? [])].map(({ id }) => id));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/_\d+$/, "").slice(0, 58);
  for (let number = 2; ; number += 1) {
    const id = `${stem}_${number}`;
    if (!taken.has(id)) return id;
  }
}
