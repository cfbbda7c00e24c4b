import type { ReplyPart } from "../ports/brain.ts";
import type { VendorState } from "../ports/language-model.ts";
import type { Answer, CollectedValue } from "./understanding/answer.ts";
import type { Period } from "./understanding/values/find-period.ts";
import type { Volunteered } from "./understanding/volunteered.ts";

/**
 * The state of a conversation. It is always in one of these places:
 *
 * - ready: nothing was said yet.
 * - asking: a question is open, and the callee has the floor.
 * - conversing: a language model holds this part of the conversation.
 * - requesting, judging, dialing: the flow waits for a tool, for a model's judgement, or for permission to dial a
 * number.
 * - transferring: the callee is being connected to another person.
 * - ended: the last word was said.
 *
 * It is a value: keeping an earlier one is enough to return to it.
 */
export interface FlowState {
  readonly at: Place;
  readonly collected: Readonly<Record<string, CollectedValue>>;
  /** How often the callee had the floor. */
  readonly turns: number;
  readonly isDisclosed: boolean;
  /** The first words said, for a callee who asks who is calling. */
  readonly firstSaid: string | null;
  /** How many requests were made, which distinguishes one visit to a tool from the next. */
  readonly requests: number;
  /** The last question that was answered, while its answer can still be corrected. */
  readonly answered: AnsweredQuestion | null;
  /** What the callee volunteered, oldest first. */
  readonly volunteered: readonly Volunteered[];
  /** The rest of the last reply, if it was cut off, from the clause that was not heard to its end. */
  readonly unheard: readonly SpokenClause[];
  /** What the callee must hear and has not: who is calling, that it is a machine, that the call is recorded. */
  readonly introductionOwed: readonly string[];
  readonly history: readonly HistoryItem[];
  readonly languages: CalleeLanguages;
}

/** What is known of the language of the callee. Languages that were noticed or suspected are ISO 639-1 codes. */
interface CalleeLanguages {
  /** The language of the call now, as a BCP 47 tag; null for that of the agent. */
  readonly current: string | null;
  /** Of the last turn, if it may have been in another language. */
  readonly suspected: string | null;
  /** Those that were noticed, each of which is answered once. */
  readonly noticed: readonly string[];
  /** The language in which the callee was asked whether to go on in it, and how often. */
  readonly offer: { readonly language: string; readonly asked: number } | null;
}

export type Place =
  | { readonly name: "ready" }
  | Asking
  | { readonly name: "conversing"; readonly nodeId: string; readonly turns: number; readonly failures: number }
  | { readonly name: "requesting" | "judging" | "dialing" | "transferring"; readonly nodeId: string }
  | { readonly name: "ended" };

export interface Asking {
  readonly name: "asking";
  readonly nodeId: string;
  /** Answers in a row that were not understood. */
  readonly failures: number;
  /** How often the callee asked to hear it again. */
  readonly repeats: number;
  /** Whether the callee heard the question; not when it was cut off before. */
  readonly wasHeard: boolean;
  /** The digits dictated so far, where more are awaited. */
  readonly digits: string;
  readonly doubt: Doubt | null;
  /** The part of a day or a time that was understood, and for which the rest is asked. */
  readonly within: Period | null;
  /** Whether the doubt was last put in other words, so that no sentence is said twice in a row. */
  readonly isReworded?: boolean;
}

/** Why an answer is not accepted yet. */
type Doubt =
  /** It was read back, and waits for a yes. */
  | { readonly type: "confirming"; readonly answer: Answer }
  /** It may be either. */
  | { readonly type: "choosing"; readonly options: readonly [Answer, Answer] }
  /** None was understood, and a callback is offered instead. */
  | { readonly type: "offering" };

interface AnsweredQuestion {
  readonly nodeId: string;
  readonly value: CollectedValue;
  /** The conversation as it was when the question was open. */
  readonly before: FlowState;
}

export type SpokenClause = Extract<ReplyPart, { type: "say" }>;

/** What a language model gets to see of the conversation. Results of tools are kept with the tools. */
export type HistoryItem =
  | { readonly role: "callee"; readonly text: string }
  /** Only what the callee heard. */
  | { readonly role: "agent"; readonly text: string }
  | {
      readonly role: "tool_call";
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      /** Must be returned to the vendor that sent it, which otherwise rejects the rest of the conversation. */
      readonly vendorState?: VendorState;
    };

export const BEGINNING: FlowState = {
  at: { name: "ready" },
  collected: {},
  turns: 0,
  isDisclosed: false,
  firstSaid: null,
  requests: 0,
  answered: null,
  volunteered: [],
  unheard: [],
  introductionOwed: [],
  history: [],
  languages: { current: null, suspected: null, noticed: [], offer: null },
};

/** The conversation turns to something else: what was said before neither corrects nor answers anything there. */
export function changeSubject(state: FlowState): FlowState {
  return { ...state, answered: null, volunteered: [] };
}

/** More than any model considers. */
const HISTORY_MAX = 400;

export function remember(state: FlowState, ...items: readonly HistoryItem[]): FlowState {
  return { ...state, history: [...state.history, ...items].slice(-HISTORY_MAX) };
}
