import type { Flow } from "@parley/contract/flow";

const FOLLOWED_MAX = 10;

/** What an agent says first, as its flow writes it; null when that is left to a model. */
export function openingLine(flow: Flow): string | null {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]));
  let node = flow.nodes.find(({ type }) => type === "start");
  // A flow may lead back to where it began.
  for (let count = 0; node && count < FOLLOWED_MAX; count += 1) {
    if ("text" in node && node.text) return node.text;
    node = "next" in node && node.next ? byId.get(node.next) : undefined;
  }
  return null;
}
