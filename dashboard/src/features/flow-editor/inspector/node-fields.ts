import { FlowNode } from "@parley/contract/flow";
import { needsModel } from "@parley/flow/warnings";
import { type FieldSpec, fieldsOf, kindsOf } from "../fields/schema-fields.ts";
import { type FieldPath, writePattern } from "../fields/set-at.ts";

/** The fields of a node by what they are about, in the order in which they are shown. */
interface NodeFields {
  /** What it says, asks or does. */
  readonly main: readonly FieldSpec[];
  /** Where the call goes on. */
  readonly ways: readonly FieldSpec[];
  /** How it goes about it. Seldom changed. */
  readonly manner: readonly FieldSpec[];
}

/** These have a place of their own at the head of the form, or on the canvas. */
const ELSEWHERE = new Set(["id", "label", "position"]);
const WAYS = new Set(["next", "otherwise", "failed"]);
const MANNER = ["outcome", "success", "interruptible", "patience", "retries", "turnsMax", "global"];
/** Where the order of the document is not that of a person's thoughts. */
const FIRST = ["request"];

const fieldsByType: ReadonlyMap<string, NodeFields> = new Map(
  [...kindsOf(FlowNode)].map(([type, schema]) => [type, sort(fieldsOf(schema))]),
);

export function fieldsOfNode(node: Pick<FlowNode, "type">): NodeFields {
  return fieldsByType.get(node.type) ?? { main: [], ways: [], manner: [] };
}

function sort(fields: readonly FieldSpec[]): NodeFields {
  const shown = fields.filter(({ name }) => !ELSEWHERE.has(name));
  const isFirst = ({ name }: FieldSpec) => FIRST.includes(name);
  const main = shown.filter(({ name }) => !WAYS.has(name) && !MANNER.includes(name));
  return {
    main: [...main.filter(isFirst), ...main.filter((field) => !isFirst(field))],
    ways: shown.filter(({ name }) => WAYS.has(name)),
    manner: shown.filter(({ name }) => MANNER.includes(name)).toSorted((a, b) => rank(a) - rank(b)),
  };
}

function rank({ name }: FieldSpec): number {
  return MANNER.indexOf(name);
}

/** Whether a field means something to a node as it is. What is set already is shown, so that it can be taken away. */
export function appliesToNode(node: FlowNode, path: FieldPath): boolean {
  const pattern = writePattern(path);
  if (pattern === "global.returns") return node.type === "say";
  if (node.type === "say" && pattern === "next") return node.global?.returns !== true;
  if (node.type === "branch" && pattern === "model") return needsModel(node) || node.model !== undefined;
  if (node.type !== "ask") return true;
  const kinds = ASK_FIELDS[pattern];
  if (!kinds || kinds.includes(node.answer)) return true;
  const isSet = pattern.startsWith("exits")
    ? pattern === "exits" && node.exits.length > 0
    : node[pattern as "range"] !== undefined;
  return isSet;
}

/** The kinds of answer to which a field means something; the compiler refuses it for others. */
const ASK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  exits: ["yes_no", "number", "date", "time", "choice", "digits"],
  "exits[].phrases": ["yes_no", "choice"],
  "exits[].key": ["choice"],
  range: ["number"],
  digits: ["digits"],
  dates: ["date"],
  confirm: ["number", "date", "time", "phone", "email", "name", "choice", "digits"],
};
