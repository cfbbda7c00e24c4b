import type { Flow } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { placeholderNames, withoutPlaceholders } from "../placeholders.ts";
import type { FlowProblem } from "../problem.ts";

interface FieldRule {
  readonly field: string;
  /** The kinds of answer it applies to. */
  readonly kinds: readonly AskNode["answer"][];
  isUsed(ask: AskNode): boolean;
}

const FIELD_RULES: readonly FieldRule[] = [
  { field: "range", kinds: ["number"], isUsed: ({ range }) => range !== undefined },
  { field: "digits", kinds: ["digits"], isUsed: ({ digits }) => digits !== undefined },
  { field: "dates", kinds: ["date"], isUsed: ({ dates }) => dates !== undefined },
  {
    field: "confirm",
    kinds: ["number", "date", "time", "phone", "email", "name", "choice", "digits"],
    isUsed: ({ confirm }) => confirm !== undefined,
  },
  { field: "phrases", kinds: ["yes_no", "choice"], isUsed: ({ exits }) => exits.some(({ phrases }) => phrases) },
  { field: "key", kinds: ["choice"], isUsed: ({ exits }) => exits.some(({ key }) => key !== undefined) },
];

/** Finds meaningless settings of a node: fields of another kind of answer, empty ranges, invalid numbers and keys. */
export function checkFields(flow: Flow): FlowProblem[] {
  return flow.nodes.flatMap((node, index): FlowProblem[] => {
    const path = `nodes[${index}]`;
    if (node.type === "ask") return checkAskFields(node, path);
    const at = { nodeId: node.id };
    if (node.type === "transfer" && !isTemplateOf(node.to, /^\+[1-9]\d{6,14}$/)) {
      const message = `The node ${node.id} transfers to "${node.to}"; it must be a plus sign followed by 7 to 15 digits, or a {{name}}.`;
      return [{ ...at, code: "bad_number", path: `${path}.to`, message, parts: { to: node.to } }];
    }
    if (node.type === "dtmf" && !isTemplateOf(node.keys, /^[0-9*#]{1,64}$/)) {
      const message = `The node ${node.id} presses "${node.keys}"; keys are digits, * and #, or a {{name}}.`;
      return [{ ...at, code: "bad_keys", path: `${path}.keys`, message, parts: { keys: node.keys } }];
    }
    return [];
  });
}

function checkAskFields(ask: AskNode, path: string): FlowProblem[] {
  const foreign = FIELD_RULES.filter((rule) => rule.isUsed(ask) && !rule.kinds.includes(ask.answer)).map(
    ({ field, kinds }): FlowProblem => ({
      code: "field_does_not_fit",
      nodeId: ask.id,
      path: `${path}.${field === "phrases" || field === "key" ? "exits" : field}`,
      parts: { field, answer: ask.answer },
      message: `The node ${ask.id} has ${field}, which means nothing to the answer ${ask.answer}; it is for ${kinds.join(", ")}.`,
    }),
  );
  return [...foreign, ...checkBounds(ask, path)];
}

function checkBounds(ask: AskNode, path: string): FlowProblem[] {
  const bounds = { range: ask.range, digits: ask.digits };
  return Object.entries(bounds).flatMap(([field, bound]): FlowProblem[] => {
    if (bound?.min === undefined || bound.max === undefined || bound.min <= bound.max) return [];
    const message = `The node ${ask.id} has a ${field} from ${bound.min} to ${bound.max}, in which nothing lies.`;
    const parts = { field, min: String(bound.min), max: String(bound.max) };
    return [{ code: "field_does_not_fit", nodeId: ask.id, path: `${path}.${field}`, message, parts }];
  });
}

/** A value with placeholders is only known in the call; one without must be valid already. */
function isTemplateOf(text: string, shape: RegExp): boolean {
  return placeholderNames(text).length > 0 ? !/[{}]/.test(withoutPlaceholders(text)) : shape.test(text.trim());
}
