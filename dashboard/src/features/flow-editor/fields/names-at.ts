import type { Flow } from "@parley/contract/flow";
import type { PhraseName } from "@parley/contract/flow-settings";
import { savedNames } from "@parley/flow/names";
import { PHRASE_VALUES } from "@parley/flow/texts";

/** The names that `{{name}}` may have in a node: what calls bring, what is collected, and what only this place knows. */
export function namesInNode(flow: Flow, pattern: string): readonly string[] {
  const own = pattern === "confirm.text" ? ["answer"] : [];
  return unique([...own, ...flow.variables, ...flow.nodes.flatMap(savedNames)]);
}

/** In the settings: what is said at any time knows nothing that was collected. */
export function namesInSettings(flow: Flow, pattern: string): readonly string[] {
  const phrase = /^phrases\.(\w+)$/.exec(pattern)?.[1];
  return unique([...(PHRASE_VALUES[phrase as PhraseName] ?? []), ...flow.variables]);
}

/** In a tool of a language model: its parameters beside all that a node knows. */
export function namesInTool(flow: Flow, parameters: readonly { readonly name: string }[]): readonly string[] {
  return unique([...parameters.map(({ name }) => name), ...namesInNode(flow, "")]);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
