/** Why a flow cannot be published. The words for each are made where the problem is found. */
export type FlowProblemCode =
  | "no_start"
  | "many_starts"
  | "duplicate_id"
  | "unknown_node"
  | "leads_nowhere"
  | "unreachable"
  | "no_way_to_end"
  | "undeclared_variable"
  | "collected_later"
  | "bad_placeholder"
  | "empty_text"
  | "exit_does_not_fit"
  | "duplicate_exit"
  | "no_choices"
  | "no_conditions"
  | "bad_condition"
  | "endless_branching";

/** One thing that keeps a flow from being published. */
export interface FlowProblem {
  readonly code: FlowProblemCode;
  /** The node at fault; null when it is the flow as a whole. */
  readonly nodeId: string | null;
  /** Where it stands in the document, such as `nodes[2].next`. */
  readonly path: string;
  /** A full sentence that names the node and the reason. */
  readonly message: string;
}
