import type { Flow, FlowNode } from "@parley/contract/flow";
import { tokenize } from "../expression/tokenize.ts";
import { savedNames } from "../names.ts";
import { mapTexts } from "./rename.ts";
import { innerName } from "./sub-flow.ts";

/**
 * The flow with what a sub-flow collects under the new id of its node, wherever it is used: in texts, expressions, inputs of
 * other sub-flows, tools and translations. What does not use it stays the same object.
 */
export function renameCollected(flow: Flow, fromId: string, toId: string): Flow {
  const before = innerName(fromId, "");
  const saved = new Set(flow.nodes.flatMap(savedNames));
  // A node `check__more` may be a sub-flow too, with names of its own.
  const others = flow.nodes.map(({ id }) => innerName(id, "")).filter((other) => other.startsWith(before));
  const renamed = (name: string): string => {
    const isOurs = name.startsWith(before) && !saved.has(name);
    const isOthers = others.some((other) => other !== before && name.startsWith(other));
    return isOurs && !isOthers ? innerName(toId, name.slice(before.length)) : name;
  };
  const inText = (text: string) =>
    text.replaceAll(/\{\{([^{}]*)\}\}/g, (whole: string, inner: string) => {
      const name = renamed(inner.trim());
      return name === inner.trim() ? whole : `{{${name}}}`;
    });
  const inExpression = (text: string) =>
    tokenize(text).tokens.reduceRight((changed, token) => {
      const [, name = ""] = (token.type === "name" && /^collected\.(\w+)$/.exec(token.text)) || [];
      const next = renamed(name);
      return next === name ? changed : `${changed.slice(0, token.start)}collected.${next}${changed.slice(token.end)}`;
    }, text);
  const inAll = <Part>(part: Part, change: (part: Part) => Part): Part =>
    JSON.stringify(part)?.includes(before) ? change(part) : part;
  const nodes = flow.nodes.map((node) => inAll(node, () => renameIn(node, inText, inExpression)));
  const { translations } = flow.settings ?? {};
  return {
    ...flow,
    nodes,
    ...(flow.tools ? { tools: inAll(flow.tools, (tools) => mapTexts(tools, inText) as typeof tools) } : {}),
    ...(translations
      ? { settings: inAll(flow.settings, (settings) => ({ ...settings, translations: retold(translations, inText) })) }
      : {}),
  };
}

function renameIn(node: FlowNode, inText: (text: string) => string, inExpression: (text: string) => string): FlowNode {
  const worded = mapTexts(node, inText) as FlowNode;
  switch (worded.type) {
    case "branch":
      return { ...worded, exits: worded.exits.map((exit) => ({ ...exit, when: inExpression(exit.when) })) };
    case "set":
      return { ...worded, values: worded.values.map((set) => ({ ...set, value: inExpression(set.value) })) };
    case "subflow":
      return worded.inputs
        ? { ...worded, inputs: worded.inputs.map((input) => ({ ...input, value: inExpression(input.value) })) }
        : worded;
    default:
      return worded;
  }
}

type Translations = NonNullable<NonNullable<Flow["settings"]>["translations"]>;

/** A translation is found by the text that it translates, which has changed too. */
function retold(translations: Translations, inText: (text: string) => string): Translations {
  return translations.map(({ language, texts }) => ({
    language,
    texts: Object.fromEntries(Object.entries(texts).map(([text, words]) => [inText(text), inText(words)])),
  }));
}
