import type { Flow } from "@parley/contract/flow";
import { checkAmong, checkExpression } from "../expression/check.ts";
import type { Expression } from "../expression/expression.ts";
import type { NodesAfterSaving } from "../names.ts";
import { namesOfFlow, SET_VALUES_MAX } from "../names.ts";
import type { FlowProblem } from "../problem.ts";
import { answersIn } from "./branches.ts";

interface CheckedValues {
  /** By the id of the `set` node, in the order of its values; complete when there are no problems. */
  readonly expressions: ReadonlyMap<string, readonly Expression[]>;
  readonly problems: readonly FlowProblem[];
}

// As with conditions: a flow of nothing but mistakes must not keep others waiting.
const PROBLEMS_MAX = 100;

/** Parses the expressions of every `set` node, and finds the invalid ones. */
export function checkValues(flow: Flow): CheckedValues {
  const expressions = new Map<string, readonly Expression[]>();
  const problems: FlowProblem[] = [];
  const count = flow.nodes.reduce((sum, node) => sum + (node.type === "set" ? node.values.length : 0), 0);
  if (count > SET_VALUES_MAX) {
    const message = `The set nodes of this flow have more than ${SET_VALUES_MAX} values together.`;
    return { expressions, problems: [{ code: "bad_expression", nodeId: null, path: "nodes", message }] };
  }
  const check = checkAmong(namesOfFlow(flow), checkExpression);
  flow.nodes.forEach((node, index) => {
    if (node.type !== "set" || problems.length >= PROBLEMS_MAX) return;
    const path = `nodes[${index}].values`;
    if (node.values.length === 0) {
      problems.push({ code: "nothing_to_set", nodeId: node.id, path, message: `The node ${node.id} sets nothing.` });
    }
    const read = node.values.map(({ value }) => check(value));
    read.forEach((result, place) => {
      if (result.ok) return;
      for (const { message, start } of result.mistakes) {
        const where = `The value ${place + 1} of ${node.id} is wrong at character ${start + 1}`;
        const at = { nodeId: node.id, path: `${path}[${place}].value` };
        problems.push({ ...at, code: "bad_expression", message: `${where}: ${message}` });
      }
    });
    expressions.set(
      node.id,
      read.flatMap((result) => (result.ok ? [result.expression] : [])),
    );
  });
  return { expressions, problems };
}

/** Finds values that are calculated from what is only collected afterwards. Requires a flow with valid references. */
export function checkValuesCollectedBefore(
  flow: Flow,
  { expressions }: CheckedValues,
  savedBefore: NodesAfterSaving,
): FlowProblem[] {
  return flow.nodes.flatMap((node, index) => {
    const values = node.type === "set" ? node.values : [];
    return (expressions.get(node.id) ?? []).flatMap((expression, place) => {
      const earlier = values.slice(0, place).map(({ saveAs }) => saveAs);
      return answersIn(expression)
        .filter((name) => savedBefore.get(name)?.has(node.id) === false && !earlier.includes(name))
        .map(
          (name): FlowProblem => ({
            code: "collected_later",
            nodeId: node.id,
            path: `nodes[${index}].values[${place}].value`,
            message: `The node ${node.id} uses collected.${name}, but no node that saves it can come before.`,
          }),
        );
    });
  });
}
