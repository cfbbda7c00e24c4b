import type { Flow, FlowNode } from "@parley/contract/flow";
import { exitsOf } from "./exits-of.ts";
import { nameOfType, summaryOf, titleOf } from "./node-kinds.ts";

interface Found {
  readonly node: FlowNode;
  readonly title: string;
  /** The words that fit, or what the node says. */
  readonly excerpt: string;
}

const FOUND_MAX = 30;

/** Nodes with all of the words in them: those in whose name they stand come first, else in the order of the document. */
export function searchFlow(flow: Flow, query: string): readonly Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = flow.nodes.flatMap((node) => {
    const title = titleOf(node);
    const texts = [summaryOf(node), ...exitsOf(node).map(({ label }) => label), ...phrasesOf(node)];
    const names = `${title} ${node.id} ${nameOfType(node.type)}`.toLowerCase();
    const all = `${names} ${texts.join(" ").toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    const isNamed = words.every((word) => names.includes(word));
    const fitting = texts.find((text) => words.some((word) => text.toLowerCase().includes(word)));
    return [{ rank: isNamed ? 0 : 1, found: { node, title, excerpt: fitting ?? summaryOf(node) } }];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, FOUND_MAX)
    .map(({ found }) => found);
}

function phrasesOf(node: FlowNode): readonly string[] {
  const global = "global" in node ? (node.global?.phrases ?? []) : [];
  return node.type === "ask" ? [...global, ...node.exits.flatMap(({ phrases }) => phrases ?? [])] : global;
}
