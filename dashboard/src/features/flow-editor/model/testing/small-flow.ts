import type { Flow, FlowNode } from "@parley/contract/flow";

/** A question with two answers and two goodbyes, each node with a position. */
export function smallFlow(): Flow {
  const nodes: FlowNode[] = [
    { id: "start", type: "start", position: { x: 0, y: 0 }, next: "coming" },
    {
      id: "coming",
      type: "ask",
      label: "Will you come?",
      position: { x: 360, y: 0 },
      text: "Will you come on Tuesday?",
      answer: "yes_no",
      exits: [
        { when: "yes", next: "bye" },
        { when: "no", next: "sorry" },
      ],
      otherwise: "sorry",
    },
    { id: "bye", type: "end", position: { x: 720, y: -80 }, text: "See you then." },
    { id: "sorry", type: "end", position: { x: 720, y: 80 }, text: "What a pity." },
  ];
  return { schemaVersion: 1, variables: [], nodes };
}

export function nodeOf(flow: Flow, id: string): FlowNode {
  const node = flow.nodes.find((one) => one.id === id);
  if (!node) throw new Error(`the flow has no node ${id}`);
  return node;
}
