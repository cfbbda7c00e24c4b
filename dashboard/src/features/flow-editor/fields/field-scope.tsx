import type { Flow } from "@parley/contract/flow";
import type { PhraseName } from "@parley/contract/flow-settings";
import { savedNames } from "@parley/flow/names";
import { PHRASE_VALUES } from "@parley/flow/texts";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { FieldPath } from "./field-paths.ts";
import type { FieldSpec } from "./schema-fields.ts";

/** What every field of one form knows about where it stands. */
export interface FieldScope {
  /** Whose agent it is, for what is tried at the service. */
  readonly agentId: string;
  readonly flow: Flow;
  /** A kind of node, `settings` or `model_tool`. */
  readonly subject: string;
  /** The whole that is edited, for fields that depend on others. */
  readonly whole: unknown;
  readonly problems: ProblemsByField;
  /** Names that `{{name}}` may have at a place. */
  placeholders(pattern: string): readonly string[];
  /** Whether a field means something beside the values of the others. */
  applies(path: FieldPath): boolean;
  /** Lets calls bring a name that nothing fills yet. */
  declare?(name: string): void;
  /** Edits any field: groups and lists hold fields of every kind. */
  readonly Editor: ComponentType<FieldProps>;
  /** Shows another node. */
  visit?(nodeId: string): void;
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

/** What is wrong, by the field it is about: paths are those of the form. */
type ProblemsByField = ReadonlyMap<string, string>;

/** The problems below one place of the document, with paths that begin there. */
export function problemsBelow(problems: readonly FieldProblem[], place: string): ProblemsByField {
  const found = new Map<string, string>();
  for (const { path, message } of problems) {
    if (path !== place && !(path.startsWith(place) && /^[.[]/.test(path.slice(place.length)))) continue;
    const field = path.slice(place.length).replace(/^\./, "");
    found.set(field, found.has(field) ? `${found.get(field)} ${message}` : message);
  }
  return found;
}

/** The messages whose field is not among those shown, for the head of the form: none may get lost. */
export function homelessProblems(problems: ProblemsByField, shownPaths: ReadonlySet<string>): string[] {
  return [...problems].filter(([path]) => !shownPaths.has(path)).map(([, message]) => message);
}

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
