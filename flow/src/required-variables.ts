import type { Flow } from "@parley/contract/flow";
import { placeholderNames, withoutOptionalParts } from "./placeholders.ts";
import { textsOfFlow } from "./texts.ts";

/** The variables without which a sentence of the agent has a hole: those used outside the optional parts of what it says. */
export function requiredVariables(flow: Flow): string[] {
  const spoken = textsOfFlow(flow).filter(({ isSpoken }) => isSpoken);
  const used = new Set(spoken.flatMap(({ text }) => placeholderNames(withoutOptionalParts(text))));
  return flow.variables.filter((name) => used.has(name));
}
