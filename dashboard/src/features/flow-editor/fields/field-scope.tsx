import type { Flow } from "@parley/contract/flow";
import type { PhraseName } from "@parley/contract/flow-settings";
import { savedNames } from "@parley/flow/names";
import { PHRASE_VALUES } from "@parley/flow/texts";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { EditorStore } from "../model/editor-store.ts";
import { type FieldPath, writePath } from "./field-paths.ts";
import type { FieldSpec } from "./schema-fields.ts";

/** The context of all fields of one form. */
export interface FieldScope {
  /** The agent, for requests to the service. */
  readonly agentId: string;
  readonly flow: Flow;
  /** The flow with its sub-flows written into it, for the names that they save. Default: the flow. */
  readonly expanded?: Flow;
  /** A kind of node, `settings` or `model_tool`. */
  readonly subject: string;
  /** The whole value that is edited, for fields that depend on others. */
  readonly whole: unknown;
  readonly problems: ProblemsByField;
  /** The placeholder names available at a path. */
  placeholders(pattern: string): readonly string[];
  /** Whether a field is relevant, given the values of the others. */
  applies(path: FieldPath): boolean;
  /** Declares a variable for an unknown placeholder name. */
  declare?(name: string): void;
  /** Edits any field: groups and lists hold fields of every kind. */
  readonly Editor: ComponentType<FieldProps>;
  /** Texts that cannot be read yet, kept while the form is closed. Omitted: they are lost with the form. */
  readonly unread?: UnreadTexts;
  /** Shows another node. */
  visit?(nodeId: string): void;
}

interface UnreadTexts {
  at(path: FieldPath): string | null;
  /** Null once the text of the field can be read. */
  keep(path: FieldPath, text: string | null): void;
}

/** The unread texts of a node, by its id, or of a tool, by its place. */
export function unreadOf(store: EditorStore, owner: string): UnreadTexts {
  const placeOf = (path: FieldPath) => `${owner}.${writePath(path)}`;
  return {
    at: (path) => store.getSnapshot().unread.get(placeOf(path)) ?? null,
    keep: (path, text) => store.keepUnread(placeOf(path), text),
  };
}

export interface FieldProps {
  readonly field: FieldSpec;
  readonly path: FieldPath;
  readonly value: unknown;
  onChange(value: unknown): void;
}

const ScopeContext = createContext<FieldScope | null>(null);

export function FieldScopeProvider({ scope, children }: { readonly scope: FieldScope; readonly children: ReactNode }) {
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

export function useFieldScope(): FieldScope {
  const scope = useContext(ScopeContext);
  if (scope === null) throw new Error("a field stands outside of a form");
  return scope;
}

/** A problem or warning of a flow, as far as a form needs it. */
interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** Messages by field path, relative to the form. */
type ProblemsByField = ReadonlyMap<string, string>;

/** The problems below one path of the document, with paths relative to it. */
export function problemsBelow(problems: readonly FieldProblem[], place: string): ProblemsByField {
  const found = new Map<string, string>();
  for (const { path, message } of problems) {
    if (path !== place && !(path.startsWith(place) && /^[.[]/.test(path.slice(place.length)))) continue;
    const field = path.slice(place.length).replace(/^\./, "");
    found.set(field, found.has(field) ? `${found.get(field)} ${message}` : message);
  }
  return found;
}

/** Messages whose field is not shown. They appear at the top of the form, so that none is lost. */
export function homelessProblems(problems: ProblemsByField, shownPaths: ReadonlySet<string>): string[] {
  return [...problems].filter(([path]) => !shownPaths.has(path)).map(([, message]) => message);
}

/** Placeholder names in a node: call variables, collected values and what only this field provides. */
export function namesInNode(flow: Flow, pattern: string): readonly string[] {
  const own = pattern === "confirm.text" ? ["answer"] : [];
  return unique([...own, ...flow.variables, ...flow.nodes.flatMap(savedNames)]);
}

/** Placeholder names in the settings: phrases can be used at any time, so collected values are not available. */
export function namesInSettings(flow: Flow, pattern: string): readonly string[] {
  const phrase = /^phrases\.(\w+)$/.exec(pattern)?.[1];
  return unique([...(PHRASE_VALUES[phrase as PhraseName] ?? []), ...flow.variables]);
}

/** Placeholder names in a model tool: its parameters and everything available in a node. */
export function namesInTool(flow: Flow, parameters: readonly { readonly name: string }[]): readonly string[] {
  return unique([...parameters.map(({ name }) => name), ...namesInNode(flow, "")]);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
