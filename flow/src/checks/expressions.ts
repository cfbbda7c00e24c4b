import type { Flow, FlowNode } from "@parley/contract/flow";
import { type ConditionResult, checkAmong, checkCondition, checkExpression } from "../expression/check.ts";
import { type Expression, namesIn } from "../expression/expression.ts";
import { neighboursOf, reachableFrom } from "../graph.ts";
import { type NodesAfterSaving, namesOfFlow, SET_VALUES_MAX } from "../names.ts";
import type { FlowProblem } from "../problem.ts";
import { isEntry } from "../sub-flows/sub-flow.ts";

type Branch = Extract<FlowNode, { type: "branch" }>;

interface CheckedBranches {
  /** By the id of the branch, in the order of its exits; complete when there are no problems. */
  readonly conditions: ReadonlyMap<string, readonly Expression[]>;
  readonly problems: readonly FlowProblem[];
}

// Room for two thousand conditions of a hundred characters. Each character of a condition costs a hundred bytes once
// parsed.
const CONDITIONS_LENGTH_MAX = 200_000;

// Explaining is slower than parsing, and no one would read more; a flow full of mistakes must not block others.
const PROBLEMS_MAX = 100;

/** Parses the conditions of every branch, and finds the invalid ones. */
export function checkBranches(flow: Flow): CheckedBranches {
  const check = checkAmong(namesOfFlow(flow), checkCondition);
  const conditions = new Map<string, readonly Expression[]>();
  const problems: FlowProblem[] = [];
  let length = 0;
  flow.nodes.forEach((node, index) => {
    if (node.type !== "branch" || problems.length >= PROBLEMS_MAX || length > CONDITIONS_LENGTH_MAX) return;
    length += node.exits.reduce((sum, { when }) => sum + when.length, 0);
    if (length > CONDITIONS_LENGTH_MAX) {
      problems.push(tooMuch(node.id, `nodes[${index}].exits`));
      return;
    }
    const checked = checkBranch(node, `nodes[${index}]`, check);
    conditions.set(node.id, checked.conditions);
    problems.push(...checked.problems);
  });
  return { conditions, problems };
}

function tooMuch(nodeId: string, path: string): FlowProblem {
  const message = `With those of ${nodeId} the conditions of this flow have more than ${CONDITIONS_LENGTH_MAX} characters together.`;
  return { code: "bad_condition", nodeId, path, message, parts: { tooLong: String(CONDITIONS_LENGTH_MAX) } };
}

function checkBranch({ id, exits, prompts = [] }: Branch, path: string, check: (text: string) => ConditionResult) {
  const conditions: Expression[] = [];
  const problems: FlowProblem[] = [];
  if (exits.length === 0 && prompts.length === 0) {
    const message = `The node ${id} is a branch without conditions, so it always goes on at otherwise.`;
    problems.push({ code: "no_conditions", nodeId: id, path: `${path}.exits`, message });
  }
  exits.forEach(({ when }, index) => {
    const result = check(when);
    if (result.ok) {
      conditions.push(result.expression);
      return;
    }
    for (const { message, start } of result.mistakes) {
      problems.push({
        code: "bad_condition",
        nodeId: id,
        path: `${path}.exits[${index}].when`,
        parts: { number: String(index + 1), text: when, mistake: message },
        message: `The condition ${index + 1} of ${id} is wrong at character ${start + 1}: ${message}`,
      });
    }
  });
  return { conditions, problems };
}

/**
 * Finds conditions about answers that are only asked for afterwards. Requires a flow with valid references, and all its
 * conditions.
 */
export function checkConditionsCollectedBefore(
  flow: Flow,
  { conditions }: CheckedBranches,
  askedAfter: NodesAfterSaving,
): FlowProblem[] {
  return flow.nodes.flatMap((node, index) =>
    (conditions.get(node.id) ?? []).flatMap((condition, exit) =>
      answersIn(condition)
        .filter((name) => askedAfter.get(name)?.has(node.id) === false)
        .map(
          (name): FlowProblem => ({
            code: "collected_later",
            nodeId: node.id,
            path: `nodes[${index}].exits[${exit}].when`,
            parts: { name },
            message: `The branch ${node.id} uses collected.${name}, but no node that saves it can come before.`,
          }),
        ),
    ),
  );
}

/** The names of collected values that an expression uses. */
function answersIn(condition: Expression): string[] {
  const place = "collected.";
  return [...namesIn(condition)].flatMap((name) => (name.startsWith(place) ? [name.slice(place.length)] : []));
}

/**
 * Finds branches that lead back to themselves through branches and settings alone. Nothing is said or asked on such a
 * path, and the call would loop endlessly. Requires a flow with valid references.
 */
export function checkEndlessBranching(flow: Flow): FlowProblem[] {
  const silent = flow.nodes.filter(isSilent);
  const { after } = neighboursOf(silent);
  return flow.nodes.flatMap((node, index): FlowProblem[] => {
    if (!isSilent(node) || !reachableFrom(after.get(node.id) ?? [], after).has(node.id)) return [];
    const message = `The ${node.type} ${node.id} can lead back to itself without anything being said or asked.`;
    return [{ code: "endless_branching", nodeId: node.id, path: `nodes[${index}]`, message }];
  });
}

function isSilent({ type }: FlowNode): boolean {
  return type === "branch" || type === "set";
}

interface CheckedValues {
  /** By the id of the `set` node, in the order of its values; complete when there are no problems. */
  readonly expressions: ReadonlyMap<string, readonly Expression[]>;
  readonly problems: readonly FlowProblem[];
}

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
    if (node.values.length === 0 && !isEntry(node)) {
      problems.push({ code: "nothing_to_set", nodeId: node.id, path, message: `The node ${node.id} sets nothing.` });
    }
    const read = node.values.map(({ value }) => check(value));
    read.forEach((result, place) => {
      if (result.ok) return;
      for (const { message, start } of result.mistakes) {
        const where = `The value ${place + 1} of ${node.id} is wrong at character ${start + 1}`;
        const at = { nodeId: node.id, path: `${path}[${place}].value` };
        const parts = { number: String(place + 1), text: node.values[place]?.value ?? "", mistake: message };
        problems.push({ ...at, code: "bad_expression", message: `${where}: ${message}`, parts });
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
            parts: { name },
            message: `The node ${node.id} uses collected.${name}, but no node that saves it can come before.`,
          }),
        );
    });
  });
}
