import type { FlowNode } from "@parley/contract/flow";
import type { FlowTool } from "@parley/contract/flow-request";
import { tokenize } from "../expression/tokenize.ts";

/** New ids and names for what is in a sub-flow. */
export interface Renaming {
  /** The node that an edge to this one leads to. */
  target(id: string): string | undefined;
  id(id: string): string;
  tool(name: string): string;
  /** For `{{name}}` and collected values. */
  value(name: string): string;
  /** What stands in an expression for a variable or a collected value. */
  expression(name: string): string;
  /** All names of values that the sub-flow has. */
  readonly values: ReadonlySet<string>;
}

/** The node as it stands in the flow that uses it. */
export function renameNode(node: FlowNode, names: Renaming): FlowNode {
  const { global: _, ...worded } = mapTexts(node, (text) => renamePlaceholders(text, names)) as FlowNode & {
    global?: unknown;
  };
  const renamed = { ...redirect(worded as FlowNode, names.target), id: names.id(node.id) } as FlowNode;
  switch (renamed.type) {
    case "ask":
      return {
        ...renamed,
        ...(renamed.saveAs === undefined ? {} : { saveAs: names.value(renamed.saveAs) }),
        // {{answer}} is the answer itself here.
        ...(node.type === "ask" && node.confirm?.text !== undefined
          ? { confirm: { text: renamePlaceholders(node.confirm.text, names, ["answer"]) } }
          : {}),
      };
    case "tool":
      return {
        ...renamed,
        ...(renamed.saves ? { saves: renamed.saves.map((saved) => renameSaved(saved, names)) } : {}),
      };
    case "conversation":
      return {
        ...renamed,
        ...(renamed.saves ? { saves: renamed.saves.map((saved) => renameSaved(saved, names)) } : {}),
        ...(renamed.tools ? { tools: renamed.tools.map((name) => names.tool(name)) } : {}),
      };
    case "branch":
      return {
        ...renamed,
        exits: renamed.exits.map((exit) => ({ ...exit, when: renameExpression(exit.when, names) })),
      };
    case "set":
      return {
        ...renamed,
        values: renamed.values.map(({ saveAs, value }) => ({
          saveAs: names.value(saveAs),
          value: renameExpression(value, names),
        })),
      };
    default:
      return renamed;
  }
}

/** A parameter of a tool hides a value of the same name. */
export function renameTool(tool: FlowTool, names: Renaming): FlowTool {
  const parameters = (tool.parameters ?? []).map(({ name }) => name);
  const worded = mapTexts(tool, (text) => renamePlaceholders(text, names, parameters)) as FlowTool;
  return { ...worded, name: names.tool(tool.name) };
}

export function renamePlaceholders(text: string, names: Renaming, except: readonly string[] = []): string {
  return text.replaceAll(/\{\{([^{}]*)\}\}/g, (whole: string, inner: string) => {
    const name = inner.trim();
    return names.values.has(name) && !except.includes(name) ? `{{${names.value(name)}}}` : whole;
  });
}

/** Variables of the sub-flow are saved values where it is used. */
function renameExpression(text: string, names: Renaming): string {
  return tokenize(text).tokens.reduceRight((renamed, token) => {
    const [, name = ""] = (token.type === "name" && /^(?:variables|collected)\.(\w+)$/.exec(token.text)) || [];
    if (!names.values.has(name)) return renamed;
    return `${renamed.slice(0, token.start)}${names.expression(name)}${renamed.slice(token.end)}`;
  }, text);
}

function renameSaved<Saved extends { readonly saveAs: string }>(saved: Saved, names: Renaming): Saved {
  return { ...saved, saveAs: names.value(saved.saveAs) };
}

/** The node with its edges leading elsewhere. One that leads nowhere any more is removed. */
export function redirect(node: FlowNode, leads: (to: string) => string | undefined): FlowNode {
  const redirected = (holder: object): object =>
    Object.fromEntries(
      Object.entries(holder).flatMap(([field, value]: [string, unknown]) => {
        if (EDGES.has(field) && typeof value === "string") {
          const to = leads(value);
          return to === undefined ? [] : [[field, to]];
        }
        const isList = (field === "exits" || field === "prompts") && Array.isArray(value);
        return [[field, isList ? value.map(redirected) : value]];
      }),
    );
  return redirected(node) as FlowNode;
}

const EDGES: ReadonlySet<string> = new Set(["next", "otherwise", "failed"]);

/** Every text in a value replaced, however deep. Keys stay. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, mapTexts(item, change)]));
}
