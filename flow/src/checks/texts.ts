import type { Flow } from "@parley/contract/flow";
import { hasMarkup, parseMarkup } from "../markup.ts";
import { type NodesAfterSaving, savedNames } from "../names.ts";
import { placeholderNames, withoutOptionalParts, withoutPlaceholders } from "../placeholders.ts";
import type { FlowProblem } from "../problem.ts";
import { type FlowText, textsOfFlow } from "../texts.ts";

const VARIABLE_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Finds empty texts, and placeholders that are never filled. */
export function checkTexts(flow: Flow): FlowProblem[] {
  const declared = new Set(flow.variables);
  const collected = new Set(flow.nodes.flatMap(savedNames));
  return textsOfFlow(flow).flatMap((text) => checkText(text, declared, collected));
}

function checkText(found: FlowText, declared: ReadonlySet<string>, collected: ReadonlySet<string>): FlowProblem[] {
  const { nodeId, path, what, text, alsoNames, mayUseCollected } = found;
  const at = { nodeId, path };
  if (text.trim() === "") {
    const isSpoken = nodeId !== null && path.endsWith(".text");
    const message = isSpoken ? `The node ${nodeId} has nothing to say.` : `${what} is empty.`;
    return found.mayBeEmpty ? [] : [{ ...at, code: "empty_text", message }];
  }
  const problems: FlowProblem[] = [];
  if (/\{\{|\}\}/.test(withoutPlaceholders(text))) {
    const message = `${what} has double braces that do not form a {{name}}.`;
    problems.push({ ...at, code: "bad_placeholder", message, parts: { reason: "braces" } });
  }
  if (found.isSpoken && /\[\[|\]\]/.test(withoutOptionalParts(text))) {
    const message = `${what} has double brackets that do not form an optional part with a {{name}} in it.`;
    problems.push({ ...at, code: "bad_placeholder", message, parts: { reason: "brackets" } });
  }
  if (found.isSpoken && hasMarkup(text)) {
    const mistakes = new Set(parseMarkup(text).mistakes);
    problems.push(
      ...Array.from(
        mistakes,
        (mistake) => ({ ...at, code: "bad_markup", message: `${what} ${mistake}.`, parts: { mistake } }) as const,
      ),
    );
  }
  for (const name of new Set(placeholderNames(text))) {
    if (!VARIABLE_NAME.test(name)) {
      const message = `${what} uses {{${name}}}; a name has lower-case letters, digits and underscores and begins with a letter.`;
      problems.push({ ...at, code: "bad_placeholder", message, parts: { reason: "name", name } });
    } else if (!declared.has(name) && !alsoNames.includes(name) && !(mayUseCollected && collected.has(name))) {
      const nowhere = mayUseCollected
        ? "which is neither in variables nor saved by a node"
        : "which is not in variables";
      const message = `${what} uses {{${name}}}, ${nowhere}.`;
      problems.push({ ...at, code: "undeclared_variable", message, parts: { name } });
    }
  }
  return problems;
}

/** Finds placeholders that are only asked for after they are spoken. Requires a flow with valid references. */
export function checkCollectedBefore(flow: Flow, spokenAfter: NodesAfterSaving): FlowProblem[] {
  const declared = new Set(flow.variables);
  return textsOfFlow(flow).flatMap(({ nodeId, path, what, text, alsoNames }) =>
    [...new Set(placeholderNames(text))]
      .filter((name) => nodeId !== null && !declared.has(name) && !alsoNames.includes(name))
      .filter((name) => nodeId !== null && spokenAfter.get(name)?.has(nodeId) === false)
      .map(
        (name): FlowProblem => ({
          code: "collected_later",
          nodeId,
          path,
          parts: { name },
          message: `${what} uses {{${name}}}, but no node that saves it can come before.`,
        }),
      ),
  );
}
