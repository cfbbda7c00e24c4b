import type { Flow, FlowNode } from "@parley/contract/flow";

/** Questions one after the other, each with what is said to a yes and to a no; the last leads to the goodbye. */
export function largeFlow(nodesMax: number): Flow {
  const nodes: FlowNode[] = [{ id: "start", type: "start", position: { x: 0, y: 0 }, next: "ask_1" }];
  const questions = Math.floor((nodesMax - 2) / 3);
  for (let number = 1; number <= questions; number += 1) {
    const next = number === questions ? "bye" : `ask_${number + 1}`;
    const x = ((number - 1) % 10) * 760 + 360;
    const y = Math.floor((number - 1) / 10) * 420;
    nodes.push(
      {
        id: `ask_${number}`,
        type: "ask",
        text: `This is question ${number} of ${questions}. Were you content with it?`,
        answer: "yes_no",
        exits: [
          { when: "yes", next: `glad_${number}` },
          { when: "no", next: `sad_${number}` },
        ],
        otherwise: next,
        position: { x, y },
      },
      { id: `glad_${number}`, type: "say", text: "I am glad to hear it.", next, position: { x: x + 360, y } },
      { id: `sad_${number}`, type: "say", text: "I am sorry to hear it.", next, position: { x: x + 360, y: y + 180 } },
    );
  }
  nodes.push({ id: "bye", type: "end", text: "Goodbye.", position: { x: 8000, y: 0 } });
  return { schemaVersion: 1, variables: [], nodes };
}
