/** Why a flow cannot be published. The words for each are made where the problem is found. */
type FlowProblemCode =
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
  | "duplicate_key"
  | "field_does_not_fit"
  | "no_choices"
  | "no_conditions"
  | "bad_condition"
  | "bad_expression"
  | "nothing_to_set"
  | "endless_branching"
  | "bad_global"
  | "duplicate_phrase"
  | "many_voicemails"
  | "no_voicemail"
  | "bad_request"
  | "bad_path"
  | "bad_number"
  | "bad_keys"
  | "unknown_tool"
  | "duplicate_tool";

/** One thing that keeps a flow from being published. */
export interface FlowProblem {
  readonly code: FlowProblemCode;
  /** The node at fault; null when it is the flow as a whole, its settings or its tools. */
  readonly nodeId: string | null;
  /** Where it stands in the document, such as `nodes[2].next`. */
  readonly path: string;
  /** A full sentence that names the node and the reason. */
  readonly message: string;
}

type FlowWarningCode =
  /** A node needs a language model, and none is configured. */
  | "no_model"
  /** A node wants a language model that is not among those configured. */
  | "unknown_model"
  /** Nothing in the flow uses a variable that calls are asked to bring. */
  | "unused_variable"
  /** No conversation may use this tool. */
  | "unused_tool"
  /** An answer that will be given has no way of its own. */
  | "missing_answer"
  /** A call can go round without the callee being asked anything. */
  | "loop_without_question"
  /** Two exits of a question have the same words, or both mean yes or no. */
  | "indistinct_exits"
  /** A choice is called by a word that callees do not answer with, and has no phrases. */
  | "vague_exit"
  /** A phrase of an exit is not understood as that exit. */
  | "misunderstood_phrase";

/** An issue that does not prevent publishing but affects calls. */
export interface FlowWarning {
  readonly code: FlowWarningCode;
  /** The node it is about; null when it is the flow as a whole. */
  readonly nodeId: string | null;
  readonly path: string;
  readonly message: string;
}
