import type { FlowNode } from "@parley/contract/flow";
import type { CompiledFlow } from "@parley/flow/compile";
import type { FlowSnapshot } from "../flow-runner.ts";
import type { FlowState, Place } from "../flow-state.ts";

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

/** A call by text between two turns: plain data, so that any process can continue it. */
export interface TextCallState {
  readonly flow: FlowSnapshot;
  /** The last reply, of which the callee's next step says how much was heard. */
  readonly spoken: readonly TextClause[];
  /** How often in a row the callee was silent. */
  readonly silences: number;
  /** The last reported position of the conversation. */
  readonly nodeId: string | null;
  readonly ended: TextCallEnd | null;
}

/** A clause of a reply, and whether the callee's words stop it. */
export interface TextClause {
  readonly text: string;
  readonly mayBeInterrupted: boolean;
}

/** Spoken English at an unhurried pace, with its pauses. */
const CHARS_PER_SECOND = 15;

/**
 * What a callee has heard of a reply when they speak up this many milliseconds after it began, in whole words. Null
 * when nothing is cut: the reply was over by then, or what was being said is said to its end.
 */
export function heardBeforeCut(clauses: readonly TextClause[], afterMs: number): string | null {
  let left = Math.floor((afterMs * CHARS_PER_SECOND) / 1000);
  const heard: string[] = [];
  for (const { text, mayBeInterrupted } of clauses) {
    if (left < text.length && mayBeInterrupted) {
      const words = wholeWords(text, left);
      return [...heard, ...(words === "" ? [] : [words])].join(" ");
    }
    heard.push(text);
    left = Math.max(0, left - text.length - 1);
  }
  return null;
}

function wholeWords(text: string, chars: number): string {
  const end = text.lastIndexOf(" ", chars);
  return end <= 0 ? "" : text.slice(0, end);
}

/** What kind of node a conversation can be at. */
const NODE_TYPES: Readonly<Partial<Record<Place["name"], FlowNode["type"]>>> = {
  asking: "ask",
  conversing: "conversation",
  requesting: "tool",
  judging: "branch",
  dialing: "transfer",
  transferring: "transfer",
};

/**
 * The same call in a flow that may have been changed since, so that an author who fixes an agent can continue the same
 * call. Null when the conversation's current node no longer exists.
 */
export function refitTextCall(plan: CompiledFlow, state: TextCallState): TextCallState | null {
  if (!isThere(plan, state.flow.state.at)) return null;
  return { ...state, flow: { ...state.flow, state: withoutLost(plan, state.flow.state) } };
}

/** An answer to a question that is gone can no longer be corrected. */
function withoutLost(plan: CompiledFlow, state: FlowState): FlowState {
  const { answered } = state;
  return answered === null || isThere(plan, answered.before.at) ? state : { ...state, answered: null };
}

function isThere(plan: CompiledFlow, at: Place): boolean {
  return !("nodeId" in at) || plan.nodes.get(at.nodeId)?.type === NODE_TYPES[at.name];
}
