import type { Flow } from "@parley/contract/flow";
import type { FlowProblem, FlowWarning } from "@parley/flow/problem";

/** The compiler's results for a flow. */
export interface CompilerNotes {
  readonly problems: readonly FlowProblem[];
  readonly warnings: readonly FlowWarning[];
}

/** What one click can do about a note. */
export type NoteFix =
  | { readonly kind: "edit"; readonly label: string; apply(flow: Flow): Flow }
  /** Asks where an exit should lead. */
  | { readonly kind: "connect"; readonly label: string; readonly nodeId: string; readonly exitId: string };

/** A problem or a warning, in words for the person who draws the flow. */
export interface FlowNote {
  readonly code: (FlowProblem | FlowWarning)["code"] | "unread_text";
  readonly nodeId: string | null;
  /** Its location in the document, such as `nodes[2].next`. */
  readonly path: string;
  /** The title of the node, or the part of the document; null if it is the whole flow. */
  readonly place: string | null;
  readonly message: string;
  readonly fix: NoteFix | null;
}

/** What is known about a flow. */
export interface FlowNotes {
  /** Problems that prevent publishing. */
  readonly problems: readonly FlowNote[];
  /** Likely mistakes that do not prevent publishing. */
  readonly warnings: readonly FlowNote[];
}

export const NO_NOTES: FlowNotes = { problems: [], warnings: [] };

/** The worst severity for each node with a problem or warning. */
export function worstByNode({ problems, warnings }: FlowNotes): ReadonlyMap<string, "problem" | "warning"> {
  const worst = new Map<string, "problem" | "warning">();
  for (const { nodeId } of warnings) if (nodeId !== null) worst.set(nodeId, "warning");
  for (const { nodeId } of problems) if (nodeId !== null) worst.set(nodeId, "problem");
  return worst;
}

/** The problems of one node. */
export function problemsOf(notes: FlowNotes, nodeId: string): readonly FlowNote[] {
  return notes.problems.filter((problem) => problem.nodeId === nodeId);
}

/** The notes without those about new nodes: what was just added is not wrong yet. */
export function withoutFresh(notes: FlowNotes, fresh: readonly string[]): FlowNotes {
  if (fresh.length === 0) return notes;
  const isKept = ({ nodeId }: FlowNote) => nodeId === null || !fresh.includes(nodeId);
  return { problems: notes.problems.filter(isKept), warnings: notes.warnings.filter(isKept) };
}
