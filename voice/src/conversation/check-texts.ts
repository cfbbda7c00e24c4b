import type { Flow, FlowNode } from "@parley/contract/flow";
import { placeholderNames, withoutPlaceholders } from "./fill-variables.ts";
import type { FlowProblem } from "./flow-problem.ts";
import { type NodesAfterSaving, savedName } from "./saved-names.ts";

const VARIABLE_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Finds texts with nothing to say, and placeholders that nothing will ever fill. */
export function checkTexts(flow: Flow): FlowProblem[] {
  const declared = new Set(flow.variables);
  const collected = new Set(flow.nodes.flatMap((node) => savedName(node) ?? []));
  return flow.nodes.flatMap((node, index): FlowProblem[] => {
    const text = textOf(node);
    if (text === null) return [];
    const at = { nodeId: node.id, path: `nodes[${index}].text` };
    if (text.trim() === "") return [{ ...at, code: "empty_text", message: `The node ${node.id} has nothing to say.` }];
    const problems: FlowProblem[] = [];
    if (/\{\{|\}\}/.test(withoutPlaceholders(text))) {
      const message = `The text of ${node.id} has double braces that do not form a {{name}}.`;
      problems.push({ ...at, code: "bad_placeholder", message });
    }
    for (const name of new Set(placeholderNames(text))) {
      if (!VARIABLE_NAME.test(name)) {
        const message = `The text of ${node.id} uses {{${name}}}; a name has lower-case letters, digits and underscores and begins with a letter.`;
        problems.push({ ...at, code: "bad_placeholder", message });
      } else if (!declared.has(name) && !collected.has(name)) {
        const message = `The text of ${node.id} uses {{${name}}}, which is neither in variables nor saved by an ask node.`;
        problems.push({ ...at, code: "undeclared_variable", message });
      }
    }
    return problems;
  });
}

/** Finds placeholders that are only asked for after they are spoken. Needs a flow whose references are sound. */
export function checkCollectedBefore(flow: Flow, spokenAfter: NodesAfterSaving): FlowProblem[] {
  const declared = new Set(flow.variables);
  return flow.nodes.flatMap((node, index) =>
    [...new Set(placeholderNames(textOf(node) ?? ""))]
      .filter((name) => !declared.has(name) && spokenAfter.get(name)?.has(node.id) === false)
      .map(
        (name): FlowProblem => ({
          code: "collected_later",
          nodeId: node.id,
          path: `nodes[${index}].text`,
          message: `The text of ${node.id} uses {{${name}}}, but no ask node that saves it can come before.`,
        }),
      ),
  );
}

function textOf(node: FlowNode): string | null {
  return node.type === "start" || node.type === "branch" ? null : (node.text ?? null);
}
