import type { Flow } from "@parley/contract/flow";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { ProblemsByField } from "./problems-at.ts";
import type { FieldSpec } from "./schema-fields.ts";
import type { FieldPath } from "./set-at.ts";

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
