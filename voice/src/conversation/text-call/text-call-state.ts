import type { FlowSnapshot } from "../flow-runner.ts";
import type { SpokenClause } from "./heard-before-cut.ts";

/** How a call by text ended, in the words of a call's record. */
export interface TextCallEnd {
  readonly reason:
    | "agent_hangup"
    | "callee_hangup"
    | "transferred"
    | "voicemail_left"
    | "voicemail_hangup"
    | "silence"
    | "fax"
    | "engine_error";
  readonly by: "agent" | "callee" | "service";
}

/** A call by text between two turns: plain data, so that whoever has it can go on anywhere. */
export interface TextCallState {
  readonly flow: FlowSnapshot;
  /** The last reply, of which the callee's next step says how much was heard. */
  readonly spoken: readonly SpokenClause[];
  /** How often in a row the callee was silent. */
  readonly silences: number;
  /** Where the conversation was when it last said where it is. */
  readonly nodeId: string | null;
  readonly ended: TextCallEnd | null;
}
