import type { FlowProblem, FlowWarning } from "@parley/flow/problem";

/** What the compiler has to say about a flow. */
export interface FlowNotes {
  /** What keeps it from being published. */
  readonly problems: readonly FlowProblem[];
  /** What will be missed in a call. */
  readonly warnings: readonly FlowWarning[];
}

export const NO_NOTES: FlowNotes = { problems: [], warnings: [] };

/** How bad it stands with each node that something is said about. */
export function worstByNode({ problems, warnings }: FlowNotes): ReadonlyMap<string, "problem" | "warning"> {
  const worst = new Map<string, "problem" | "warning">();
  for (const { nodeId } of warnings) if (nodeId !== null) worst.set(nodeId, "warning");
  for (const { nodeId } of problems) if (nodeId !== null) worst.set(nodeId, "problem");
  return worst;
}

/** What is wrong with one node, for those who show it. */
export function problemsOf(notes: FlowNotes, nodeId: string): readonly FlowProblem[] {
  return notes.problems.filter((problem) => problem.nodeId === nodeId);
}
