import type { Flow } from "@parley/contract/flow";
import type { Expression } from "../expression/expression.ts";
import { namesIn } from "../expression/names-in.ts";
import { placeholderNames } from "../placeholders.ts";
import type { FlowWarning } from "../problem.ts";
import { textsOfFlow } from "../texts.ts";

/** What is declared and never used is most likely written otherwise where it should be. */
export function warnOfUnused(flow: Flow, expressions: readonly Expression[]): FlowWarning[] {
  const used = new Set([
    ...textsOfFlow(flow).flatMap(({ text }) => placeholderNames(text)),
    ...expressions.flatMap((expression) => [...namesIn(expression)].map((path) => path.replace(/^variables\./, ""))),
  ]);
  const variables = flow.variables.flatMap((name, index): FlowWarning[] => {
    const message = `The variable ${name} is declared, and nothing in the flow uses it.`;
    return used.has(name) ? [] : [{ code: "unused_variable", nodeId: null, path: `variables[${index}]`, message }];
  });
  const offered = new Set(flow.nodes.flatMap((node) => (node.type === "conversation" ? (node.tools ?? []) : [])));
  const tools = (flow.tools ?? []).flatMap(({ name }, index): FlowWarning[] => {
    const message = `No conversation node lists the tool ${name}, so no model can use it.`;
    return offered.has(name) ? [] : [{ code: "unused_tool", nodeId: null, path: `tools[${index}]`, message }];
  });
  return [...variables, ...tools];
}
