import type { AnsweredBy } from "../../../ports/conversation-journal.ts";
import type { OwnLineName, ScriptStep, SpeechOpening, SpeechScript } from "../../../ports/speech-model.ts";
import type { ConversationOptions } from "../../../ports/voice-engine.ts";
import type { TurnSettings } from "../../../turns/turn-settings.ts";

/**
 * A conversation is always in one of these phases:
 *
 * - ringing: the callee has not answered.
 * - hello: the callee has answered, and says hello or nothing.
 * - talking: the model conducts the conversation.
 * - awaiting_beep: a voicemail plays its greeting. The model hears nothing and says nothing.
 * - leaving: the last words are said, and then the line is left. The model hears nothing, so that they are finished.
 * - transferring: the callee is being connected to another person.
 * - over.
 */
type Place =
  | { readonly phase: "ringing" | "talking" | "transferring" | "over" }
  | { readonly phase: "hello" | "awaiting_beep"; readonly sinceMs: number }
  /** Once everything was said, the line stays open a moment longer so that it arrives. */
  | { readonly phase: "leaving"; readonly next: Leaving; readonly isHangupDue: boolean };

/** How the line is left. */
export type Leaving = Extract<ScriptStep["next"], { type: "hang_up" | "transfer" }>;

/** What does not change during a call. */
export interface SpeechPlan {
  readonly greeting: ConversationOptions["greeting"];
  readonly voicemail: ConversationOptions["voicemail"];
  /** Its texts are in the language of the call, which may change. */
  readonly script: Pick<SpeechScript, "isInterruptible" | "silencePrompts" | "farewell">;
  /** Without screening every callee is taken for a person. */
  readonly isScreened: boolean;
  readonly settings: TurnSettings;
}

/** What the line, our detector and the model show when an event is handled. Times are positions of the leg. */
export interface Seen {
  readonly nowMs: number;
  /** Something that the agent says is being heard, or is waiting to be. */
  readonly isAudible: boolean;
  /** When the callee last heard something of the agent to its end, or to where it was stopped. */
  readonly agentSaidMs: number;
  /** Until when the callee heard the agent in whatever voice, and the model. */
  readonly agentSoundMs: number;
  readonly modelSoundMs: number;
  readonly hasModel: boolean;
  readonly modelName: string;
  /** When the model last reported anything. */
  readonly modelSignMs: number;
  /** A function that the model called has not returned. */
  readonly isFunctionRunning: boolean;
  /** Null before the answer. */
  readonly callee: CalleeActivity | null;
  readonly requiredWords: {
    /** What the callee must hear and has not; null when everything was heard. */
    readonly missing: string | null;
    readonly isAnythingHeard: boolean;
    readonly mayRemind: boolean;
  };
}

/** What our own detector knows about the callee's speech. */
export interface CalleeActivity {
  /** Until when it has listened. */
  readonly watchedMs: number;
  /** When the last sound that was like speech ended; null before the first. */
  readonly lastSoundMs: number | null;
  /** How much speech there was in the last one, without its pauses. */
  readonly utteranceMs: number;
  readonly hasSpoken: boolean;
  readonly isSpeaking: boolean;
}

interface ReplyState {
  /** One was requested, or is being given. */
  readonly isExpected: boolean;
  /** When the model must have given a sign of it. */
  readonly dueMs: number;
  /** How many failed in a row. */
  readonly failures: number;
  /** How many models in a row were replaced because they were silent. */
  readonly silentModels: number;
}

export interface SpeechState {
  readonly plan: SpeechPlan;
  readonly at: Place;
  readonly seen: Seen;
  readonly answeredMs: number;
  readonly opening: SpeechOpening | null;
  readonly reply: ReplyState;
  /** When the callee's speech ended to which nothing was heard in reply yet; null if the callee does not wait. */
  readonly calleeWaitsSinceMs: number | null;
  /** Since when the agent's side owes the callee something to hear; null if it does not. */
  readonly owedSinceMs: number | null;
  /** The sentences in another voice that were needed and could not be said: each is reported once. */
  readonly unspokenLines: readonly OwnLineName[];
  /** How often the callee interrupted since the last reply that was measured. */
  readonly interruptions: number;
  readonly silence: { readonly sinceMs: number; readonly prompts: number };
  readonly isAudioMissing: boolean;
  readonly answeredBy: AnsweredBy | null;
  readonly beepMs: number | null;
  /** Effects outside the conversation are permitted: a person is there, or a machine that is to be talked to. */
  readonly mayAct: boolean;
  /** What the callee pressed and was not replied to yet. */
  readonly keys: string;
}

export function ringing(plan: SpeechPlan, seen: Seen): SpeechState {
  return {
    plan,
    at: { phase: "ringing" },
    seen,
    answeredMs: 0,
    opening: null,
    reply: { isExpected: false, dueMs: 0, failures: 0, silentModels: 0 },
    calleeWaitsSinceMs: null,
    owedSinceMs: null,
    unspokenLines: [],
    interruptions: 0,
    silence: { sinceMs: 0, prompts: 0 },
    isAudioMissing: false,
    answeredBy: null,
    beepMs: null,
    mayAct: false,
    keys: "",
  };
}

/** Nothing is being said, and nothing was asked for. */
export function isQuiet({ reply, seen }: SpeechState): boolean {
  return !reply.isExpected && !seen.isAudible;
}

export function hasLeft({ at }: SpeechState): boolean {
  return at.phase === "leaving" || at.phase === "over";
}

/** Something happened that is no silence. */
export function endSilence(state: SpeechState): SpeechState {
  return { ...state, silence: { ...state.silence, sinceMs: state.seen.nowMs } };
}
