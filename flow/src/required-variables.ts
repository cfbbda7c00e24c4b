import type { Flow } from "@parley/contract/flow";
import { placeholderNames, withoutOptionalParts } from "./placeholders.ts";
import { textsOfFlow } from "./texts.ts";

/**
 * The variables without which a sentence of the agent has a hole: those used outside the optional parts of what it says, also
 * by another name that a `set` node gives them, as one does in the place of a sub-flow.
 */
export function requiredVariables(flow: Flow): string[] {
  const spoken = textsOfFlow(flow).filter(({ isSpoken }) => isSpoken);
  const used = new Set(spoken.flatMap(({ text }) => placeholderNames(withoutOptionalParts(text))));
  for (const node of flow.nodes) {
    if (node.type !== "set") continue;
    for (const { saveAs, value } of node.values) {
      const [, variable] = /^\s*variables\.(\w+)\s*$/.exec(value) ?? [];
      if (variable !== undefined && used.has(saveAs)) used.add(variable);
    }
  }
  return flow.variables.filter((name) => used.has(name));
}
