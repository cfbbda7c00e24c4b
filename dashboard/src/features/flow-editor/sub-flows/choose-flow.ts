import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import type { SubFlowInterface } from "@parley/flow/sub-flows/sub-flow";

interface ChosenFlow {
  readonly agentId: string;
  readonly agentName: string;
  readonly version: number;
  readonly offered: SubFlowInterface;
}

/** The node with another flow or version: its exits are those of the flow, connected as far as they were. */
export function withVersion(node: SubFlowNode, { agentId, agentName, version, offered }: ChosenFlow): SubFlowNode {
  const { inputs = [], saves = [], ...rest } = node;
  const label = node.agentId === agentId && node.label !== undefined ? node.label : agentName.slice(0, 120);
  const keptInputs = inputs.filter(({ name }) => offered.inputs.includes(name));
  const keptSaves = saves.filter(({ name }) => offered.saves.includes(name));
  return {
    ...rest,
    label,
    agentId,
    version,
    exits: offered.exits.map((when) => node.exits.find((exit) => exit.when === when) ?? { when }),
    ...(keptInputs.length > 0 ? { inputs: keptInputs } : {}),
    ...(keptSaves.length > 0 ? { saves: keptSaves } : {}),
  };
}

/** The node with an expression for a variable of its flow; an empty one is removed. */
export function withInput(node: SubFlowNode, name: string, value: string): SubFlowNode {
  const { inputs = [], ...rest } = node;
  const others = inputs.filter((input) => input.name !== name);
  const next = value === "" ? others : [...others, { name, value }];
  return next.length > 0 ? { ...rest, inputs: next } : rest;
}

/** The node with a name for what its flow collects; an empty one is removed. */
export function withSaved(node: SubFlowNode, name: string, saveAs: string): SubFlowNode {
  const { saves = [], ...rest } = node;
  const others = saves.filter((saved) => saved.name !== name);
  const next = saveAs === "" ? others : [...others, { name, saveAs }];
  return next.length > 0 ? { ...rest, saves: next } : rest;
}
