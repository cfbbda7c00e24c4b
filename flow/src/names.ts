import type { Flow, FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { checkExpression } from "./expression/check.ts";
import type { DeclaredName, KnownTexts } from "./expression/declared-name.ts";
import { namesIn } from "./expression/expression.ts";
import { parseExpression } from "./expression/parse.ts";
import type { ValueType } from "./expression/value.ts";
import { edgesAndJumps, reachableFrom } from "./graph.ts";

const ANSWER_TYPES: Readonly<Record<AskNode["answer"], ValueType>> = {
  yes_no: "text",
  number: "number",
  date: "date",
  time: "time",
  phone: "text",
  email: "text",
  name: "text",
  choice: "text",
  free_text: "text",
  digits: "text",
};

/**
 * What expressions may use about the call itself. Date and time are those of its beginning, in the callee's time zone.
 */
const CALL_NAMES: readonly DeclaredName[] = [
  { path: "call.id", type: "text", meaning: "the id of the call", values: null },
  { path: "call.phoneNumber", type: "text", meaning: "the number that was called, with a plus sign", values: null },
  { path: "call.from", type: "text", meaning: "the number the callee sees", values: null },
  { path: "call.mode", type: "text", meaning: "test or live", values: { texts: ["test", "live"], isAll: true } },
  { path: "call.date", type: "date", meaning: "the day the call began, where the callee is", values: null },
  { path: "call.time", type: "time", meaning: "the time the call began, where the callee is", values: null },
];

/** Something a node saves: its name and type. */
interface Saving {
  readonly node: FlowNode;
  readonly name: string;
  readonly type: ValueType;
}

/** Every name that the expressions of a flow may use: the call's inputs, what it collects, and the call itself. */
export function namesOfFlow(flow: Flow): readonly DeclaredName[] {
  const brought = [...new Set(flow.variables)].map(
    (name): DeclaredName => ({ path: `variables.${name}`, type: "text", meaning: "brought by the call", values: null }),
  );
  const given = flow.nodes.flatMap(savingsOf);
  const known = [...brought, ...collectedNames(given), ...CALL_NAMES];
  const calculated = typesOfSetNames(flow, new Map(known.map(({ path, type }) => [path, type])));
  const set = flow.nodes.flatMap((node) =>
    node.type === "set"
      ? node.values.map(({ saveAs }): Saving => ({ node, name: saveAs, type: calculated.get(saveAs) ?? "text" }))
      : [],
  );
  return [...brought, ...collectedNames([...given, ...set]), ...CALL_NAMES];
}

function savingsOf(node: FlowNode): Saving[] {
  if (node.type === "ask" && node.saveAs !== undefined) {
    return [{ node, name: node.saveAs, type: ANSWER_TYPES[node.answer] }];
  }
  if (node.type === "subflow") return savedNames(node).map((name) => ({ node, name, type: "text" }));
  if (node.type !== "tool" && node.type !== "conversation") return [];
  return (node.saves ?? []).map(({ saveAs, kind = "text" }) => ({ node, name: saveAs, type: kind }));
}

function collectedNames(savings: readonly Saving[]): DeclaredName[] {
  return [...Map.groupBy(savings, ({ name }) => name)].map(([name, saving]) => {
    const types = new Set(saving.map(({ type }) => type));
    // If two nodes save different kinds under one name, the value can only be treated as a text.
    const [type = "text"] = types.size === 1 ? types : [];
    return {
      path: `collected.${name}`,
      type,
      meaning: meaningOf(saving),
      values: type === "text" ? knownAnswers(saving) : null,
    };
  });
}

function meaningOf(savings: readonly Saving[]): string {
  const ids = [...new Set(savings.map(({ node }) => node.id))].join(", ");
  return savings.every(({ node }) => node.type === "ask") ? `the answer to ${ids}` : `saved by ${ids}`;
}

function knownAnswers(savings: readonly Saving[]): KnownTexts | null {
  const asks = savings.flatMap(({ node }) =>
    node.type === "ask" && (node.answer === "yes_no" || node.answer === "choice") ? [node] : [],
  );
  if (asks.length < savings.length) return null;
  const texts = asks.flatMap(({ answer, exits }) =>
    answer === "yes_no" ? ["yes", "no"] : exits.map(({ when }) => when.trim()),
  );
  return { texts: [...new Set(texts)], isAll: asks.every(({ answer }) => answer === "yes_no") };
}

/** What every call can collect without a node that saves it: when the callee asks to be called. */
const COLLECTED_BY_ITSELF = "callback";

/** What calls of a flow can collect. */
export function collectedBy(nodes: Iterable<FlowNode>): ReadonlySet<string> {
  return new Set([COLLECTED_BY_ITSELF, ...[...nodes].flatMap(savedNames)]);
}

/** The names under which a node saves something. */
export function savedNames(node: FlowNode): readonly string[] {
  switch (node.type) {
    case "ask":
      return node.saveAs === undefined ? [] : [node.saveAs];
    case "tool":
    case "conversation":
    case "subflow":
      return (node.saves ?? []).map(({ saveAs }) => saveAs);
    case "set":
      return node.values.map(({ saveAs }) => saveAs);
    default:
      return [];
  }
}

/** For each saved name, the nodes that a call can reach after it was saved. */
export type NodesAfterSaving = ReadonlyMap<string, ReadonlySet<string>>;

/** Requires a flow with valid references. */
export function nodesAfterSaving(flow: Flow): NodesAfterSaving {
  const edges = edgesAndJumps(flow.nodes);
  const found = new Map<string, Set<string>>();
  for (const node of flow.nodes) {
    const names = savedNames(node);
    // Walked once for each node, because a node can save many names.
    const after = names.length === 0 ? [] : reachableFrom(edges.get(node.id) ?? [], edges);
    for (const name of names) {
      const known = found.get(name) ?? new Set();
      for (const id of after) known.add(id);
      found.set(name, known);
    }
  }
  return found;
}

const COLLECTED = "collected.";

/** More than a conversation can use. Anything beyond it is refused before its types matter. */
export const SET_VALUES_MAX = 500;

/** A name that `set` nodes calculate. */
interface Calculated {
  readonly expressions: readonly string[];
  /** The other calculated names it is calculated from, and perhaps itself. */
  readonly needs: ReadonlySet<string>;
}

/**
 * The type of each name that a `set` node calculates. `given` are the names whose types are known without calculating,
 * by path. Names that need each other, such as a counter that needs itself, are treated as numbers where that fits.
 */
function typesOfSetNames(flow: Flow, given: ReadonlyMap<string, ValueType>): ReadonlyMap<string, ValueType> {
  const open = calculatedNames(flow);
  const types = new Map(given);
  const found = new Map<string, ValueType>();
  const settle = (name: string, type: ValueType) => {
    open.delete(name);
    found.set(name, type);
    // A name that something else also saves keeps that type, as far as others calculate with it.
    if (!given.has(COLLECTED + name)) types.set(COLLECTED + name, type);
  };
  while (open.size > 0) {
    const ready = [...open].filter(([, { needs }]) => ![...needs].some((need) => open.has(need)));
    for (const [name, { expressions }] of ready) settle(name, typeOfAll(expressions, types) ?? "text");
    if (ready.length > 0) continue;
    const [[name, { expressions }] = ["", { expressions: [] }]] = open;
    const guessed = new Map([...types, ...[...open.keys()].map((each) => [COLLECTED + each, "number"] as const)]);
    settle(name, typeOfAll(expressions, guessed) === "number" ? "number" : "text");
  }
  return found;
}

function calculatedNames(flow: Flow): Map<string, Calculated> {
  const assignments = flow.nodes.flatMap((node) => (node.type === "set" ? node.values : [])).slice(0, SET_VALUES_MAX);
  const grouped = Map.groupBy(assignments, ({ saveAs }) => saveAs);
  return new Map(
    [...grouped].map(([name, values]) => {
      const expressions = values.map(({ value }) => value);
      const needs = expressions.flatMap((text) => collectedIn(text)).filter((need) => grouped.has(need));
      return [name, { expressions, needs: new Set(needs) }];
    }),
  );
}

function collectedIn(text: string): string[] {
  const parsed = parseExpression(text);
  const names = parsed.ok ? [...namesIn(parsed.expression)] : [];
  return names.flatMap((name) => (name.startsWith(COLLECTED) ? [name.slice(COLLECTED.length)] : []));
}

/** The one type that all of them have, or null. */
function typeOfAll(expressions: readonly string[], types: ReadonlyMap<string, ValueType>): ValueType | null {
  const found = new Set(expressions.map((text) => typeOf(text, types)));
  const [type = null] = found.size === 1 ? found : [];
  return type;
}

function typeOf(text: string, types: ReadonlyMap<string, ValueType>): ValueType | null {
  const parsed = parseExpression(text);
  if (!parsed.ok) return null;
  const declared = [...namesIn(parsed.expression)].flatMap((path): DeclaredName[] => {
    const type = types.get(path);
    return type === undefined ? [] : [{ path, type, meaning: "", values: null }];
  });
  const checked = checkExpression(text, declared);
  return checked.ok && checked.type !== "unknown" && checked.type !== "null" ? checked.type : null;
}
