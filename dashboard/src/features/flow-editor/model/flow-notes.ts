import type { FlowProblem, FlowWarning } from "@parley/flow/problem";

/** The compiler's results for a flow. */
export interface FlowNotes {
  /** Problems that prevent publishing. */
  readonly problems: readonly FlowProblem[];
  /** Likely mistakes that do not prevent publishing. */
  readonly warnings: readonly FlowWarning[];
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
export function problemsOf(notes: FlowNotes, nodeId: string): readonly FlowProblem[] {
  return notes.problems.filter((problem) => problem.nodeId === nodeId);
}
