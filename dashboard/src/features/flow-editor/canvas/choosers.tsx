import type { Flow } from "@parley/contract/flow";
import { Cable } from "lucide-react";
import { exitsOf } from "../model/exits-of.ts";
import { NODE_KINDS, type NodeType, nameOfType, titleOf } from "../model/node-kinds.ts";
import { searchFlow } from "../model/search-flow.ts";
import { type Choice, Chooser } from "./chooser.tsx";
import { NodeIcon } from "./node-icon.tsx";

/** Which popup is open: to find a node, to add one, or to connect an exit. */
export type OpenChooser =
  | { readonly kind: "search" }
  | { readonly kind: "add" }
  | { readonly kind: "exit"; readonly nodeId: string }
  | {
      readonly kind: "target";
      readonly nodeId: string;
      readonly exitId: string;
      readonly at: { readonly x: number; readonly y: number } | null;
    };

interface ChoosersProps {
  readonly open: OpenChooser;
  readonly flow: Flow;
  onClose(): void;
  onFound(nodeId: string): void;
  onAdd(type: NodeType): void;
  onExit(nodeId: string, exitId: string): void;
  /** A new node behind the exit, or one there is. */
  onTarget(target: { readonly type: NodeType } | { readonly id: string }): void;
}

export function Choosers({ open, flow, onClose, onFound, onAdd, onExit, onTarget }: ChoosersProps) {
  switch (open.kind) {
    case "search":
      return (
        <Chooser
          title="Find a node"
          placeholder="What it says, its name, its kind"
          emptyText="No node has these words in it."
          choicesFor={(query) => found(flow, query)}
          onChoose={onFound}
          onClose={onClose}
        />
      );
    case "add":
      return (
        <Chooser
          title="Add a node"
          placeholder="What shall it do?"
          emptyText="There is no such kind of node."
          choicesFor={(query) => kindsFor(flow, query)}
          onChoose={(type) => onAdd(type as NodeType)}
          onClose={onClose}
        />
      );
    case "exit":
      return (
        <Chooser
          title="Connect which exit?"
          placeholder="Which exit"
          emptyText="It has no such exit."
          choicesFor={(query) => exitsFor(flow, open.nodeId, query)}
          onChoose={(exitId) => onExit(open.nodeId, exitId)}
          onClose={onClose}
        />
      );
    case "target":
      return (
        <Chooser
          title="Where does it lead?"
          placeholder="A new node, or one there is"
          emptyText="There is no such node."
          choicesFor={(query) => [
            ...kindsFor(flow, query).map((choice) => ({
              ...choice,
              id: `new ${choice.id}`,
              name: `New: ${choice.name}`,
            })),
            ...found(flow, query).filter(({ id }) => canBeReached(flow, id)),
          ]}
          onChoose={(id) => onTarget(id.startsWith("new ") ? { type: id.slice(4) as NodeType } : { id })}
          onClose={onClose}
        />
      );
  }
}

function found(flow: Flow, query: string): readonly Choice[] {
  return searchFlow(flow, query).map(({ node, title, excerpt }) => ({
    id: node.id,
    icon: <NodeIcon type={node.type} />,
    name: title,
    note: excerpt || nameOfType(node.type),
  }));
}

function kindsFor(flow: Flow, query: string): readonly Choice[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hasStart = flow.nodes.some(({ type }) => type === "start");
  const fitting = NODE_KINDS.filter(({ type }) => type !== "start" || !hasStart).filter((kind) => {
    const all = `${kind.name} ${kind.purpose} ${kind.alsoFoundBy} ${kind.type}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  // Whoever types the name of a kind means it, and not one that has the word among its others.
  const isNamed = ({ name }: { readonly name: string }) => name.toLowerCase().startsWith(query.trim().toLowerCase());
  return fitting
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .map(({ type, name, purpose }) => ({ id: type, icon: <NodeIcon type={type} />, name, note: purpose }));
}

function exitsFor(flow: Flow, nodeId: string, query: string): readonly Choice[] {
  const node = flow.nodes.find(({ id }) => id === nodeId);
  return (node ? exitsOf(node) : [])
    .filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()))
    .map(({ id, label, to }) => ({ id, icon: <Cable aria-hidden="true" />, name: label, note: leadsTo(flow, to) }));
}

function leadsTo(flow: Flow, to: string | undefined): string {
  const target = flow.nodes.find(({ id }) => id === to);
  return target ? `Leads to ${titleOf(target)}` : "Leads nowhere yet";
}

function canBeReached(flow: Flow, id: string): boolean {
  return flow.nodes.some((node) => node.id === id && node.type !== "start" && node.type !== "voicemail");
}
