/** Why a flow cannot be published. The message for each is written where the problem is found. */
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
  | "bad_markup"
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
  | "duplicate_tool"
  | "bad_group"
  | "no_sub_flow"
  | "unknown_sub_flow"
  | "sub_flow_cycle"
  | "sub_flow_too_deep"
  | "sub_flow_too_large"
  | "sub_flow_conflict"
  | "missing_exit"
  | "unknown_exit"
  | "missing_input"
  | "unknown_input"
  | "unknown_output";

/**
 * What a message is made of besides its node and its place: names, texts, limits. Readers other than those of the API
 * get words of their own from code and parts.
 */
export type NoteParts = Readonly<Record<string, string>>;

/** One thing that keeps a flow from being published. */
export interface FlowProblem {
  readonly code: FlowProblemCode;
  /** The node at fault; null if it is the whole flow, its settings or its tools. */
  readonly nodeId: string | null;
  /** Where it stands in the document, such as `nodes[2].next`. */
  readonly path: string;
  /** A full sentence for readers of the API: it names the node by its id. */
  readonly message: string;
  readonly parts?: NoteParts;
}

type FlowWarningCode =
  /** A node needs a language model, and none is configured. */
  | "no_model"
  /** A node requests a language model that is not configured. */
  | "unknown_model"
  /** Nothing in the flow uses a variable that calls must provide. */
  | "unused_variable"
  /** No conversation uses this tool. */
  | "unused_tool"
  /** An answer has no exit of its own. */
  | "missing_answer"
  /** A call can loop without the callee being asked anything. */
  | "loop_without_question"
  /** A callee who is not understood is offered nothing before the call ends. */
  | "nothing_offered"
  /** Two exits of a question have the same words, or both mean yes or no. */
  | "indistinct_exits"
  /** The answer to whether a machine is speaking does not say so. */
  | "hidden_machine"
  /** A text of the flow has no translation into one of its languages. */
  | "untranslated_text"
  /** The agent's engine does not speak its language. Found by the service. */
  | "unspoken_language"
  /** The agent's engine conducts agents that are one conversation. Found by the service. */
  | "unsuited_engine"
  /** Nothing else can speak for the model of the engine while it is silent. Found by the service. */
  | "no_other_voice"
  /** A conversation lists a tool of an MCP server that calls cannot use. Found by the service. */
  | "unusable_mcp_tool"
  /** A choice is named by a word that callees do not answer with, and has no phrases. */
  | "vague_exit"
  /** A phrase of an exit is not understood as that exit. */
  | "misunderstood_phrase";

/** An issue that does not prevent publishing but affects calls. */
export interface FlowWarning {
  readonly code: FlowWarningCode;
  /** The node it is about; null if it is the whole flow. */
  readonly nodeId: string | null;
  readonly path: string;
  readonly message: string;
  readonly parts?: NoteParts;
}
