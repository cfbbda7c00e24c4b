import type { ScreeningDecision } from "../../../ports/call-screening.ts";
import type { ConversationEnd, JournalEntry } from "../../../ports/conversation-journal.ts";
import type { LineTransfer } from "../../../ports/line.ts";
import type {
  FunctionOutcome,
  FunctionRequest,
  OwnLine,
  OwnLineName,
  ScriptStep,
  SpeechModelEvent,
  SpeechOpening,
  UnspokenLine,
} from "../../../ports/speech-model.ts";
import type { SpeechState } from "./speech-state.ts";

export type SpeechTimer = "farewell" | "hang_up" | "identify" | "keys" | "transfer";

/** More of what the model says. */
export type ModelSpeechEvent = Extract<SpeechModelEvent, { type: "audio" | "text" }>;

export type SpeechEvent =
  | { readonly type: "line.answered" }
  | { readonly type: "line.key_pressed"; readonly key: string }
  | { readonly type: "line.audio_missing" }
  | { readonly type: "line.audio_returned" }
  | {
      readonly type: "line.transfer_progressed";
      readonly state: "trying" | "ringing" | "completed" | "failed";
      readonly reason: string;
    }
  | { readonly type: "line.ended" }
  /** Time has passed. */
  | { readonly type: "ticked" }
  | { readonly type: "timer.fired"; readonly timer: SpeechTimer }
  | { readonly type: "screening.decided"; readonly decision: ScreeningDecision }
  | { readonly type: "callee.started" }
  | { readonly type: "callee.stopped"; readonly endMs: number }
  | { readonly type: "callee.said"; readonly text: string }
  /** Speech that was stopped before may still arrive. */
  | { readonly type: "model.spoke"; readonly speech: ModelSpeechEvent; readonly wasStopped: boolean }
  | {
      readonly type: "model.replied";
      readonly failure: { readonly message: string; readonly retryable: boolean } | null;
    }
  | { readonly type: "model.lost"; readonly reason: string }
  /** Another model has taken over from the one that was lost for this reason. */
  | {
      readonly type: "model.replaced";
      readonly reason: string;
      readonly wasReplying: boolean;
      readonly knowsHistory: boolean;
    }
  /** None could, and why not. */
  | { readonly type: "model.not_replaced"; readonly reason: string; readonly cause: string }
  | { readonly type: "own_line.ready"; readonly name: OwnLineName; readonly line: OwnLine | UnspokenLine }
  | { readonly type: "script.begun"; readonly opening: SpeechOpening }
  /** What has to follow from the callee's words, whatever the model does. */
  | { readonly type: "script.heard"; readonly step: ScriptStep }
  | { readonly type: "script.met_machine"; readonly kind: "voicemail" | "ivr" | "screening"; readonly step: ScriptStep }
  | { readonly type: "script.transfer_failed"; readonly step: ScriptStep }
  | {
      readonly type: "function.returned";
      readonly request: FunctionRequest;
      readonly outcome: FunctionOutcome;
      /** Whether the model that called the function still conducts the call. */
      readonly isCallerPresent: boolean;
    }
  | { readonly type: "service.ends"; readonly isPolite: boolean }
  | { readonly type: "engine.failed"; readonly reason: string };

/** What is to be done, as plain data. Each effect starts immediately and waits for nothing; its results are events. */
export type SpeechEffect =
  /** The callee is listened to and the script begins: `script.begun`. */
  | { readonly type: "call.begin" }
  | { readonly type: "call.end"; readonly reason: ConversationEnd; readonly hangsUp: boolean }
  | { readonly type: "model.reply"; readonly instructions: string }
  /** The same, unless it has begun to reply by itself. */
  | { readonly type: "model.remind"; readonly instructions: string }
  | { readonly type: "model.inform"; readonly text: string }
  | { readonly type: "model.answer"; readonly callId: string; readonly output: unknown; readonly isLast: boolean }
  | { readonly type: "model.close"; readonly why?: "silent" }
  /** Opens the next model: `model.replaced` or `model.not_replaced`. */
  | { readonly type: "model.replace"; readonly reason: string; readonly wasReplying: boolean }
  | { readonly type: "speech.add"; readonly speech: ModelSpeechEvent }
  /** Nothing of it is played, whatever arrives. */
  | { readonly type: "speech.drop"; readonly itemId: string }
  | { readonly type: "speech.complete" }
  /** Silence from the next frame on. The model and the journal keep what the callee heard. */
  | { readonly type: "speech.stop" }
  /** Silence from the next frame on, unless another voice speaks. */
  | { readonly type: "speech.stop_model" }
  | { readonly type: "own_line.fetch"; readonly name: OwnLineName }
  | { readonly type: "own_line.play"; readonly name: OwnLineName; readonly line: OwnLine }
  | { readonly type: "required_words.set"; readonly text: string }
  | { readonly type: "required_words.count_reminder" }
  /** The model learns that they were not heard, without a reply. */
  | { readonly type: "required_words.inform" }
  | { readonly type: "required_words.give_up" }
  | { readonly type: "script.permit_effects" }
  /** `script.heard`, unless nothing has to follow. */
  | { readonly type: "script.hear"; readonly text: string }
  | { readonly type: "script.meet_machine"; readonly kind: "voicemail" | "ivr" | "screening" }
  | { readonly type: "script.fail_transfer" }
  | { readonly type: "line.send_dtmf"; readonly keys: string }
  | { readonly type: "line.transfer"; readonly request: LineTransfer }
  /** One timer of each name: setting it again replaces it. */
  | { readonly type: "timer.set"; readonly timer: SpeechTimer; readonly delayMs: number }
  | { readonly type: "timer.cancel"; readonly timer: SpeechTimer }
  | { readonly type: "journal.note"; readonly entry: JournalEntry }
  /** How long the callee waited, for the turn in progress. */
  | { readonly type: "journal.timing"; readonly totalMs: number; readonly interruptions: number }
  /** A failure of the service itself, in the turn in progress. */
  | {
      readonly type: "incident";
      readonly what: "model_failed" | "speech_failed" | "speech_late" | "agent_failed" | "conversation_failed";
      readonly reason: string;
    };

/** What follows from an event: the state afterwards, and what is to be done, in this order. */
export type SpeechStep = readonly [SpeechState, readonly SpeechEffect[]];

export function stay(state: SpeechState): SpeechStep {
  return [state, []];
}

/** One decision after the other; each sees the state that the one before it left. */
export function chain(state: SpeechState, ...decisions: readonly ((state: SpeechState) => SpeechStep)[]): SpeechStep {
  let now = state;
  const effects: SpeechEffect[] = [];
  for (const decide of decisions) {
    const [after, more] = decide(now);
    now = after;
    effects.push(...more);
  }
  return [now, effects];
}

/** Effects that change nothing here. */
export function perform(...effects: readonly SpeechEffect[]): (state: SpeechState) => SpeechStep {
  return (state) => [state, effects];
}
