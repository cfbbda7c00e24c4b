import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowTool } from "@parley/contract/flow-request";
import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { parseExpression } from "../expression/parse.ts";
import { savedNames } from "../names.ts";
import type { FlowProblem, NoteParts } from "../problem.ts";
import { type Renaming, renameNode, renamePlaceholders, renameTool } from "./rename.ts";
import {
  exitNameOf,
  innerName,
  interfaceOf,
  nodesInside,
  type SubFlowInterface,
  type SubFlows,
  savedAs,
  subFlowKey,
} from "./sub-flow.ts";

/** A sub-flow in a sub-flow in a sub-flow is still understood by the people who maintain them. */
export const SUB_FLOW_DEPTH_MAX = 5;
// Those of a flow document, because the expanded flow is stored as one.
const NODES_MAX = 500;
const TOOLS_MAX = 50;
const VALUES_MAX = 20;
const NAME_LENGTH_MAX = 64;
const LABEL_LENGTH_MAX = 120;

export interface ExpandedFlow {
  /**
   * Every sub-flow replaced by its nodes, behind those of the flow: these keep their places, so that paths to them stay true. In the
   * place of the sub-flow is a `set` that saves its inputs. One with a problem is left as it is.
   */
  readonly flow: Flow;
  readonly problems: readonly FlowProblem[];
  /** The node of the document that each node of a sub-flow belongs to. */
  readonly owners: ReadonlyMap<string, string>;
}

interface Expansion extends ExpandedFlow {
  /** The agents whose flows are in it. */
  readonly uses: ReadonlySet<string>;
}

/** Writes the sub-flows of a flow into it. `agentId` is whose flow it is, if it has an agent yet. */
export function expandFlow(flow: Flow, subFlows: SubFlows, agentId?: string): ExpandedFlow {
  return expand(flow, subFlows, [agentId ?? ""], new Map());
}

type Refuse = (code: FlowProblem["code"], field: string, message: string, parts?: NoteParts) => void;

function expand(flow: Flow, subFlows: SubFlows, chain: readonly string[], known: Map<string, Expansion>): Expansion {
  const problems: FlowProblem[] = [];
  const owners = new Map<string, string>();
  const uses = new Set<string>();
  const nodes = [...flow.nodes];
  const inner: FlowNode[] = [];
  const tools: FlowTool[] = [...(flow.tools ?? [])];
  let settings = flow.settings;
  const collected = new Set(flow.nodes.flatMap(savedNames).filter((name) => !flow.variables.includes(name)));
  for (const [index, node] of flow.nodes.entries()) {
    if (node.type !== "subflow") continue;
    const found: FlowProblem[] = [];
    const refuse: Refuse = (code, field, message, parts) =>
      found.push({
        code,
        nodeId: node.id,
        path: `nodes[${index}]${field}`,
        message,
        ...(parts === undefined ? {} : { parts }),
      });
    const used = resolve(node, subFlows, chain, known, refuse);
    if (used !== null) {
      for (const id of [...used.uses, node.agentId ?? ""]) uses.add(id);
      checkConnections(node, interfaceOf(used.flow), flow.variables, refuse);
    }
    if (used !== null && found.length === 0 && isConnected(node, flow)) {
      const written = inline(node, used.flow, collected);
      if (
        nodes.length + inner.length + written.nodes.length > NODES_MAX ||
        tools.length + written.tools.length > TOOLS_MAX
      ) {
        const message = `With the sub-flow of ${node.id} the flow has more than ${NODES_MAX} nodes or ${TOOLS_MAX} tools.`;
        refuse("sub_flow_too_large", "", message, { reason: "size", nodes: String(NODES_MAX) });
      } else if (written.entry.values.length > VALUES_MAX) {
        const message = `The sub-flow of ${node.id} has more than ${VALUES_MAX} variables.`;
        refuse("sub_flow_too_large", "", message, { reason: "variables", max: String(VALUES_MAX) });
      } else if (written.longName !== null) {
        const message = `In the sub-flow of ${node.id} the name ${written.longName} is longer than ${NAME_LENGTH_MAX} characters; give the node a shorter id.`;
        refuse("sub_flow_too_large", "", message, { reason: "name", name: written.longName });
      } else {
        nodes[index] = written.entry;
        inner.push(...written.nodes);
        tools.push(...written.tools);
        settings = withTranslations(settings, written.translations);
        for (const { id } of written.nodes) owners.set(id, node.id);
      }
    }
    problems.push(...found);
  }
  if (inner.length === 0 && nodes.every((node, index) => node === flow.nodes[index])) {
    return { flow, problems, owners, uses };
  }
  const { settings: _, tools: __, ...document } = flow;
  const expanded: Flow = {
    ...document,
    nodes: [...nodes, ...inner],
    ...(tools.length > 0 ? { tools } : {}),
    ...(settings ? { settings } : {}),
  };
  return { flow: expanded, problems, owners, uses };
}

/** The flow that a node uses, without sub-flows of its own; null if there is none that can be used. */
function resolve(
  { id, agentId, version }: SubFlowNode,
  subFlows: SubFlows,
  chain: readonly string[],
  known: Map<string, Expansion>,
  refuse: Refuse,
): Expansion | null {
  if (agentId === undefined || version === undefined) {
    refuse("no_sub_flow", ".agentId", `The node ${id} does not say which flow it uses, with agentId and version.`);
    return null;
  }
  if (chain.includes(agentId)) {
    refuse("sub_flow_cycle", ".agentId", `The node ${id} uses the flow of ${agentId}, which it is a part of.`, {
      agentId,
    });
    return null;
  }
  const key = subFlowKey(agentId, version);
  const flow = subFlows.get(key);
  if (flow === undefined) {
    const message = `The node ${id} uses version ${version} of ${agentId}, and the account has no such published version.`;
    refuse("unknown_sub_flow", ".agentId", message, { agentId, version: String(version) });
    return null;
  }
  const inside = [...chain, agentId];
  const isTooDeep = inside.length > SUB_FLOW_DEPTH_MAX + 1;
  const used = known.get(key) ?? (isTooDeep ? null : expand(flow, subFlows, inside, known));
  if (used === null) {
    const message = `The node ${id} is a sub-flow in more than ${SUB_FLOW_DEPTH_MAX} others.`;
    refuse("sub_flow_too_deep", ".agentId", message, { max: String(SUB_FLOW_DEPTH_MAX) });
    return null;
  }
  const [first] = used.problems;
  if (first !== undefined) {
    refuse(first.code, ".agentId", `In the sub-flow of ${id}: ${first.message}`, first.parts);
    return null;
  }
  const again = inside.find((each) => used.uses.has(each));
  if (again !== undefined) {
    const message = `The node ${id} uses a flow that contains the flow of ${again}, which it is a part of.`;
    refuse("sub_flow_cycle", ".agentId", message, { agentId: again });
    return null;
  }
  known.set(key, used);
  return used;
}

/** Finds exits, inputs and names that the node and its flow do not have in common. */
function checkConnections(
  { id, inputs = [], exits, saves = [] }: SubFlowNode,
  offered: SubFlowInterface,
  variables: readonly string[],
  refuse: Refuse,
): void {
  for (const exit of offered.exits.filter((name) => !exits.some(({ when }) => when === name))) {
    const message = `The node ${id} has no exit for "${exit}", where its sub-flow can end.`;
    refuse("missing_exit", ".exits", message, { exit });
  }
  for (const [place, { when }] of exits.entries()) {
    const at = `.exits[${place}].when`;
    if (!offered.exits.includes(when)) {
      refuse("unknown_exit", at, `The node ${id} has an exit for "${when}", where its sub-flow never ends.`, { when });
    } else if (exits.findIndex((exit) => exit.when === when) < place) {
      const message = `The node ${id} has two exits for "${when}"; the second would never be taken.`;
      refuse("duplicate_exit", at, message, { when });
    }
  }
  for (const name of offered.inputs) {
    if (variables.includes(name) || inputs.some((input) => input.name === name)) continue;
    const message = `The node ${id} gives no value for ${name}, a variable of its sub-flow that this flow does not have.`;
    refuse("missing_input", ".inputs", message, { name });
  }
  for (const [place, { name }] of inputs.entries()) {
    if (offered.inputs.includes(name)) continue;
    const message = `The node ${id} gives a value for ${name}, which is not a variable of its sub-flow.`;
    refuse("unknown_input", `.inputs[${place}].name`, message, { name });
  }
  for (const [place, { name }] of saves.entries()) {
    if (offered.saves.includes(name)) continue;
    const message = `The node ${id} takes ${name} from its sub-flow, which saves nothing under that name.`;
    refuse("unknown_output", `.saves[${place}].name`, message, { name });
  }
}

/** Exits that lead nowhere are found like those of other nodes, if the node is still there. */
function isConnected({ exits }: SubFlowNode, { nodes }: Flow): boolean {
  return exits.every(({ next }) => nodes.some(({ id }) => id === next));
}

interface Inlined {
  readonly entry: Extract<FlowNode, { type: "set" }>;
  readonly nodes: readonly FlowNode[];
  readonly tools: readonly FlowTool[];
  readonly translations: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly longName: string | null;
}

/**
 * The nodes of a sub-flow, and the one that stands in the place of its node. `collected` are the names that only nodes of
 * the outer flow save.
 */
function inline(node: SubFlowNode, used: Flow, collected: ReadonlySet<string>): Inlined {
  const inside = nodesInside(used);
  const { inputs, saves } = interfaceOf(used);
  const kept = savedAs(node);
  const originals = originalsOf(node, used, saves, collected);
  const ends = new Map(inside.flatMap((each) => (each.type === "end" ? [[each.id, exitNameOf(each)]] : [])));
  const names: Renaming = {
    target: (to) =>
      ends.has(to) ? node.exits.find(({ when }) => when === ends.get(to))?.next : innerName(node.id, to),
    id: (id) => innerName(node.id, id),
    tool: (name) => innerName(node.id, name),
    value: (name) => originals.get(name) ?? kept(name),
    expression: (name) =>
      originals.has(name) ? `${WRAPPING}collected.${originals.get(name)})` : `collected.${kept(name)}`,
    values: new Set([...inputs, ...saves]),
  };
  const nodes = inside
    .filter(({ type }) => type !== "end")
    .map((each) => ({ ...renameNode(each, names), label: labelIn(node, each) }));
  const tools = (used.tools ?? []).map((tool) => renameTool(tool, names));
  const start = used.nodes.find((each) => each.type === "start");
  const given = node.inputs ?? [];
  const values = [
    ...given.map(({ name, value }) => ({ saveAs: kept(name), value: asText(value) })),
    // A variable that has no value here has none there.
    ...inputs
      .filter((name) => !given.some((input) => input.name === name))
      .map((name) => ({ saveAs: kept(name), value: `variables.${name}` })),
  ];
  const { id, label, position, global } = node;
  const to = start?.next === undefined ? undefined : names.target(start.next);
  const all = [...nodes.map((each) => each.id), ...tools.map(({ name }) => name), ...[...names.values].map(kept)];
  return {
    entry: {
      id,
      type: "set",
      ...(label === undefined ? {} : { label }),
      ...(position === undefined ? {} : { position }),
      ...(global === undefined ? {} : { global }),
      values,
      ...(to === undefined ? {} : { next: to }),
    },
    nodes,
    tools,
    translations: new Map(
      (used.settings?.translations ?? []).map(({ language, texts }) => [
        language,
        Object.fromEntries(
          Object.entries(texts).map((pair) => pair.map((text) => renamePlaceholders(text, names)) as [string, string]),
        ),
      ]),
    ),
    longName: all.find((name) => name.length > NAME_LENGTH_MAX) ?? null,
  };
}

/**
 * The inputs that are a collected value of the outer flow, and its name there. Inside they are that value and not a copy of
 * it: a date or a number is spoken as one, and the callee can correct it where it is read back.
 */
function originalsOf(
  { inputs = [], saves = [] }: SubFlowNode,
  { tools = [] }: Flow,
  saved: readonly string[],
  collected: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  // Names that mean something else in a text, or that the sub-flow changes.
  const hidden = ["answer", ...tools.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name))];
  const changed = saves.map(({ saveAs }) => saveAs);
  return new Map(
    inputs.flatMap(({ name, value }): [string, string][] => {
      const [, original = ""] = /^\s*collected\.(\w+)\s*$/.exec(value) ?? [];
      const isUsable = collected.has(original) && !hidden.includes(original) && !changed.includes(original);
      return isUsable && !saved.includes(name) ? [[name, original]] : [];
    }),
  );
}

const WRAPPING = "text(";

/** Variables are texts. What cannot be read is left alone, so that its mistake is explained as it was written. */
function asText(value: string): string {
  return parseExpression(value).ok && !/^variables\.\w+$/.test(value.trim()) ? `${WRAPPING}${value})` : value;
}

/** How far a mistake in an input is from where it was written. */
export function inputOffset(value: string): number {
  return asText(value) === value ? 0 : WRAPPING.length;
}

function labelIn(node: SubFlowNode, inner: FlowNode): string {
  return `${node.label ?? node.id} › ${inner.label ?? inner.id}`.slice(0, LABEL_LENGTH_MAX);
}

/** The translations of a sub-flow into the languages of the flow, whose own come first. */
function withTranslations(settings: Flow["settings"], translations: Inlined["translations"]): Flow["settings"] {
  if (!settings?.translations || translations.size === 0) return settings;
  return {
    ...settings,
    translations: settings.translations.map(({ language, texts }) => ({
      language,
      texts: { ...translations.get(language), ...texts },
    })),
  };
}
