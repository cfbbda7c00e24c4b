import type { Flow, FlowNode } from "@parley/contract/flow";
import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { compileFlow } from "../compile.ts";
import { namesIn } from "../expression/expression.ts";
import { parseExpression } from "../expression/parse.ts";
import { tokenize } from "../expression/tokenize.ts";
import type { ValueType } from "../expression/value.ts";
import { edgesOf, isGlobal } from "../graph.ts";
import { namesOfFlow, savedNames } from "../names.ts";
import { placeholderNames } from "../placeholders.ts";
import type { FlowProblem } from "../problem.ts";
import { textsOfFlow } from "../texts.ts";
import { translatableTexts } from "../translate.ts";
import { expandFlow } from "./expand-flow.ts";
import { redirect } from "./rename.ts";
import { type SubFlows, subFlowKey } from "./sub-flow.ts";

/** A part of a flow that was cut out. Expanding it where it is used gives a flow that behaves as before. */
export interface CutOut {
  readonly ok: true;
  /** The flow of the new agent: the nodes, a start before them, and an end for each node that they lead to. */
  readonly part: Flow;
  /** What stands in their place. Which agent and version it uses is not known yet. */
  readonly node: SubFlowNode;
  /** The flow with the node in their place. */
  readonly flow: Flow;
  /** The ids of the nodes that were cut out. */
  readonly nodeIds: readonly string[];
}

/** Why nodes cannot be cut out. */
export type CutRefusal = { readonly ok: false } & (
  | { readonly reason: "nothing" | "start" | "voicemail" | "no_entry" }
  /** Callees can jump to this node from any question. */
  | { readonly reason: "global"; readonly nodeId: string }
  /** More than one of the nodes is reached from outside. */
  | { readonly reason: "many_entries"; readonly nodeIds: readonly string[] }
  /** The name has a value from outside and another one from inside, or from the call. */
  | { readonly reason: "two_sources"; readonly name: string }
  /** A yes or no of the rest is used in an expression. Inputs are texts. */
  | { readonly reason: "not_a_text"; readonly name: string }
  | { readonly reason: "too_many"; readonly of: "inputs" | "exits" | "saves"; readonly max: number }
  /** The part, or the flow with its node, cannot be published. `flow` is the one that the problem is in. */
  | { readonly reason: "problem"; readonly problem: FlowProblem; readonly flow: Flow }
);

interface CutOptions {
  /** The nodes to cut out. An `end` among them stays: it ends the call, not the sub-flow. */
  readonly nodeIds: ReadonlySet<string>;
  /** Comments that go with them. */
  readonly commentIds?: ReadonlySet<string>;
  /** The id of the node that replaces them. */
  readonly nodeId: string;
  /** The published flows that the flow uses. */
  readonly subFlows?: SubFlows;
  readonly agentId?: string;
}

// Those of a sub-flow node.
const INPUTS_MAX = 20;
const EXITS_MAX = 50;
const SAVES_MAX = 20;
const OUTCOME_LENGTH_MAX = 64;
/** Wider than a node on the canvas. */
const COLUMN = 360;
const ROW = 160;
/** The new agent, before it has an id. */
const NEW_AGENT = "agt_00000000000000000000000new";

/** Cuts nodes out of a flow, so that they become the flow of another agent. */
export function cutOut(flow: Flow, options: CutOptions): CutOut | CutRefusal {
  const { nodeId, subFlows = new Map(), agentId } = options;
  const chosen = flow.nodes.filter(({ id, type }) => options.nodeIds.has(id) && type !== "end");
  const ids = new Set(chosen.map(({ id }) => id));
  const entry = entryOf(flow, chosen, ids);
  if (typeof entry !== "string") return entry;

  const used = usedNames(flow, ids, subFlows, agentId);
  if ("reason" in used) return used;
  const ends = endsFor(flow, chosen, ids);
  if (used.inputs.length > INPUTS_MAX) return { ok: false, reason: "too_many", of: "inputs", max: INPUTS_MAX };
  if (ends.length > EXITS_MAX) return { ok: false, reason: "too_many", of: "exits", max: EXITS_MAX };
  if (used.saves.length > SAVES_MAX) return { ok: false, reason: "too_many", of: "saves", max: SAVES_MAX };

  const part = partOf(flow, chosen, entry, ends, used, options);
  const { position } = chosen.find(({ id }) => id === entry) ?? {};
  const node: SubFlowNode = {
    id: nodeId,
    type: "subflow",
    ...(position ? { position } : {}),
    ...(used.inputs.length > 0
      ? { inputs: used.inputs.map(({ name }) => ({ name, value: `collected.${name}` })) }
      : {}),
    exits: ends.map(({ end, to }) => ({ when: end.outcome, next: to })),
    ...(used.saves.length > 0 ? { saves: used.saves.map((name) => ({ name, saveAs: name })) } : {}),
  };
  const rest = restOf(flow, ids, node, entry, options);
  return refusalOf(part, rest, node, subFlows, agentId) ?? { ok: true, part, node, flow: rest, nodeIds: [...ids] };
}

/** The one node at which a call comes into the part. */
function entryOf(flow: Flow, chosen: readonly FlowNode[], ids: ReadonlySet<string>): string | CutRefusal {
  if (chosen.length === 0) return { ok: false, reason: "nothing" };
  for (const node of chosen) {
    if (node.type === "start" || node.type === "voicemail") return { ok: false, reason: node.type };
    if (isGlobal(node)) return { ok: false, reason: "global", nodeId: node.id };
  }
  const outside = flow.nodes.filter(({ id }) => !ids.has(id));
  const led = [...outside.flatMap(edgesOf).map(({ to }) => to), flow.settings?.phoneMenu];
  const entries = chosen.map(({ id }) => id).filter((id) => led.includes(id));
  const [entry, ...others] = entries;
  if (entry === undefined) return { ok: false, reason: "no_entry" };
  return others.length > 0 ? { ok: false, reason: "many_entries", nodeIds: entries } : entry;
}

interface UsedNames {
  /** Variables of the call that the part uses. */
  readonly variables: readonly string[];
  /** What the rest collects and the part uses, with its type. */
  readonly inputs: readonly { readonly name: string; readonly type: ValueType }[];
  /** What the part collects. It keeps its names. */
  readonly saves: readonly string[];
}

/** What the part reads and writes, including the sub-flows in it. */
function usedNames(
  flow: Flow,
  ids: ReadonlySet<string>,
  subFlows: SubFlows,
  agentId: string | undefined,
): UsedNames | CutRefusal {
  const whole = expandFlow(flow, subFlows, agentId);
  const isInside = ({ id }: FlowNode) => ids.has(whole.owners.get(id) ?? id);
  const inside = whole.flow.nodes.filter(isInside);
  const savedInside = new Set(inside.flatMap(savedNames));
  const savedOutside = new Set(whole.flow.nodes.filter((node) => !isInside(node)).flatMap(savedNames));
  const tools = (whole.flow.tools ?? []).filter(({ name }) => usesTool(inside, name));
  const texts = textsOfFlow({
    schemaVersion: 1,
    variables: [],
    nodes: inside,
    tools,
    settings: { translations: translationsFor(whole.flow, inside) },
  });
  const inTexts = new Set(
    texts.flatMap(({ text, alsoNames }) => placeholderNames(text).filter((name) => !alsoNames.includes(name))),
  );
  const paths = new Set(inside.flatMap(expressionsOf).flatMap(pathsIn));
  const declared = new Set(flow.variables);
  const types = new Map(namesOfFlow(whole.flow).map(({ path, type }) => [path, type]));
  const variables: string[] = [];
  const inputs: { name: string; type: ValueType }[] = [];
  const read = new Set([...inTexts, ...[...paths].map((path) => path.replace(/^\w+\./, ""))]);
  for (const name of read) {
    const isCollected = savedInside.has(name) || savedOutside.has(name);
    if (declared.has(name) && isCollected) return { ok: false, reason: "two_sources", name };
    if (!isCollected && (declared.has(name) || inTexts.has(name))) variables.push(name);
    if (savedInside.has(name) || !savedOutside.has(name)) continue;
    const type = types.get(`collected.${name}`) ?? "text";
    if (type === "boolean" && paths.has(`collected.${name}`)) return { ok: false, reason: "not_a_text", name };
    inputs.push({ name, type });
  }
  return { variables: variables.filter((name) => declared.has(name)), inputs, saves: [...savedInside] };
}

function usesTool(nodes: readonly FlowNode[], name: string): boolean {
  return nodes.some((node) => node.type === "conversation" && node.tools?.includes(name) === true);
}

function expressionsOf(node: FlowNode): string[] {
  if (node.type === "branch") return node.exits.map(({ when }) => when);
  return node.type === "set" ? node.values.map(({ value }) => value) : [];
}

/** The names of variables and collected values in an expression, such as `collected.day`. */
function pathsIn(text: string): string[] {
  const parsed = parseExpression(text);
  return parsed.ok ? [...namesIn(parsed.expression)].filter((path) => !path.startsWith("call.")) : [];
}

interface PartEnd {
  readonly end: Extract<FlowNode, { type: "end" }> & { readonly outcome: string };
  /** The node of the rest at which the call goes on. */
  readonly to: string;
}

/** One end for each node that the part leads to, named after it. */
function endsFor(flow: Flow, chosen: readonly FlowNode[], ids: ReadonlySet<string>): PartEnd[] {
  const leads = new Set(chosen.flatMap(edgesOf).flatMap(({ to }) => (to === undefined || ids.has(to) ? [] : [to])));
  const right = Math.max(...chosen.map(({ position }) => position?.x ?? 0)) + COLUMN;
  const top = Math.min(...chosen.map(({ position }) => position?.y ?? 0));
  const names = new Set<string>();
  const taken = new Set(ids);
  return flow.nodes
    .filter(({ id }) => leads.has(id))
    .map(({ id: to, label }, index) => {
      const title = (label?.trim() || readable(to)).slice(0, OUTCOME_LENGTH_MAX);
      const outcome = free(title, names, (number) => `${title.slice(0, OUTCOME_LENGTH_MAX - 4).trim()} ${number}`);
      const id = free("end", taken, (number) => `end_${number}`);
      return { end: { id, type: "end", outcome, position: { x: right, y: top + index * ROW } }, to };
    });
}

function free(wanted: string, taken: Set<string>, numbered: (number: number) => string): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = numbered(number);
  taken.add(name);
  return name;
}

function readable(id: string): string {
  const words = id.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function partOf(
  flow: Flow,
  chosen: readonly FlowNode[],
  entry: string,
  ends: readonly PartEnd[],
  used: UsedNames,
  { commentIds }: CutOptions,
): Flow {
  const endOf = new Map(ends.map(({ end, to }) => [to, end.id]));
  const types = new Map(used.inputs.map(({ name, type }) => [name, type]));
  const tools = (flow.tools ?? []).filter(({ name }) => usesTool(chosen, name));
  const comments = (flow.comments ?? []).filter(({ id }) => commentIds?.has(id));
  const groups = (flow.groups ?? []).filter(({ nodeIds }) =>
    nodeIds.every((id) => chosen.some((node) => node.id === id)),
  );
  const first = chosen.find(({ id }) => id === entry)?.position ?? { x: 0, y: 0 };
  const taken = new Set([...chosen, ...ends.map(({ end }) => end)].map(({ id }) => id));
  const settings = settingsFor(flow, chosen);
  return {
    schemaVersion: flow.schemaVersion,
    variables: [...used.variables, ...used.inputs.map(({ name }) => name)],
    nodes: [
      {
        id: free("start", taken, (number) => `start_${number}`),
        type: "start",
        position: { x: first.x - COLUMN, y: first.y },
        next: entry,
      },
      ...chosen.map((node) =>
        withInputs(
          redirect(node, (to) => endOf.get(to) ?? to),
          types,
        ),
      ),
      ...ends.map(({ end }) => end),
    ],
    ...(tools.length > 0 ? { tools } : {}),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
    ...(comments.length > 0 ? { comments } : {}),
    ...(groups.length > 0 ? { groups } : {}),
  };
}

/** How the agent sounds and listens, so that the part can be tried alone. In a call, the settings of its agent apply. */
function settingsFor(flow: Flow, chosen: readonly FlowNode[]): NonNullable<Flow["settings"]> {
  const { voice, pace, pronunciations, interruptible, patience, fillerAfterMs, secondOpinion, retries } =
    flow.settings ?? {};
  const translations = translationsFor(flow, chosen);
  const settings = {
    voice,
    pace,
    pronunciations,
    interruptible,
    patience,
    fillerAfterMs,
    secondOpinion,
    retries: retries && { max: retries.max },
    translations: translations.length > 0 ? translations : undefined,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** The translations of what these nodes say. */
function translationsFor({ settings, tools = [] }: Flow, nodes: readonly FlowNode[]) {
  const fillers = tools.flatMap(({ name, filler }) => (filler !== undefined && usesTool(nodes, name) ? [filler] : []));
  const texts = new Set([...translatableTexts({ nodes: [...nodes] }).map(({ text }) => text), ...fillers]);
  return (settings?.translations ?? []).map(({ language, texts: all }) => ({
    language,
    texts: Object.fromEntries(Object.entries(all).filter(([text]) => texts.has(text))),
  }));
}

/** What was collected outside is a variable inside, which is a text: expressions read it as what it was. */
function withInputs(node: FlowNode, types: ReadonlyMap<string, ValueType>): FlowNode {
  const change = (text: string) =>
    tokenize(text).tokens.reduceRight((changed, token) => {
      const [, name = ""] = (token.type === "name" && /^collected\.(\w+)$/.exec(token.text)) || [];
      const type = types.get(name);
      if (type === undefined) return changed;
      const value = type === "text" ? `variables.${name}` : `${type}(variables.${name})`;
      return `${changed.slice(0, token.start)}${value}${changed.slice(token.end)}`;
    }, text);
  switch (node.type) {
    case "branch":
      return { ...node, exits: node.exits.map((exit) => ({ ...exit, when: change(exit.when) })) };
    case "set":
      return { ...node, values: node.values.map(({ saveAs, value }) => ({ saveAs, value: change(value) })) };
    case "subflow":
      return node.inputs
        ? { ...node, inputs: node.inputs.map(({ name, value }) => ({ name, value: change(value) })) }
        : node;
    default:
      return node;
  }
}

/** The flow without the part, and with its node. */
function restOf(
  flow: Flow,
  ids: ReadonlySet<string>,
  node: SubFlowNode,
  entry: string,
  { commentIds }: CutOptions,
): Flow {
  const { tools = [], comments = [], groups = [], ...document } = flow;
  const leads = (to: string) => (to === entry ? node.id : to);
  const cut = flow.nodes.filter(({ id }) => ids.has(id));
  const stays = flow.nodes.filter(({ id }) => !ids.has(id));
  const nodes = flow.nodes.flatMap((each): FlowNode[] => {
    if (each.id === entry) return [node];
    if (ids.has(each.id)) return [];
    return edgesOf(each).some(({ to }) => to === entry) ? [redirect(each, leads)] : [each];
  });
  const restTools = tools.filter(({ name }) => usesTool(stays, name) || !usesTool(cut, name));
  const restComments = comments.filter(({ id }) => !commentIds?.has(id));
  // In a group from which only a part is cut, the node takes its place.
  const restGroups = groups.flatMap((group) => {
    const isWhole = group.nodeIds.every((id) => ids.has(id));
    const nodeIds = group.nodeIds.flatMap((id) => (ids.has(id) ? (id === entry && !isWhole ? [node.id] : []) : [id]));
    return nodeIds.length > 0 ? [{ ...group, nodeIds }] : [];
  });
  const menu = flow.settings?.phoneMenu;
  return {
    ...document,
    nodes,
    ...(restTools.length > 0 ? { tools: restTools } : {}),
    ...(menu === entry ? { settings: { ...flow.settings, phoneMenu: node.id } } : {}),
    ...(restComments.length > 0 ? { comments: restComments } : {}),
    ...(restGroups.length > 0 ? { groups: restGroups } : {}),
  };
}

/** What keeps the part from being published, or its node from being used. */
function refusalOf(
  part: Flow,
  rest: Flow,
  node: SubFlowNode,
  subFlows: SubFlows,
  agentId: string | undefined,
): CutRefusal | null {
  const compiled = compileFlow(part, { subFlows, agentId: NEW_AGENT });
  const [problem] = compiled.ok ? [] : compiled.problems;
  if (problem?.code === "collected_later") {
    return { ok: false, reason: "two_sources", name: problem.parts?.["name"] ?? "" };
  }
  if (problem) return { ok: false, reason: "problem", problem, flow: part };
  const published = new Map([...subFlows, [subFlowKey(NEW_AGENT, 1), part]]);
  const nodes = rest.nodes.map((each) => (each === node ? { ...node, agentId: NEW_AGENT, version: 1 } : each));
  const used = compileFlow({ ...rest, nodes }, { subFlows: published, ...(agentId === undefined ? {} : { agentId }) });
  const found = used.ok ? undefined : used.problems.find(({ nodeId }) => nodeId === node.id);
  return found ? { ok: false, reason: "problem", problem: found, flow: rest } : null;
}
