import type { Decision } from "./brain.ts";
import type { ModelTool } from "./language-model.ts";
import type { LineTransfer } from "./line.ts";
import type { ProviderError } from "./provider-error.ts";

/** The port to a model that hears and speaks by itself, and finds the callee's turns. */
export interface SpeechModel {
  readonly name: string;
  /** Rejects with a ProviderError if it is unavailable. */
  open(request: SpeechModelRequest): Promise<SpeechModelSession>;
  close(): Promise<void>;
}

export interface SpeechModelRequest {
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  /** A BCP 47 tag. */
  readonly language: string;
  readonly voiceId: string;
  /** Whether the callee's speech stops a reply. */
  readonly isInterruptible: boolean;
  /** Never called after the session was closed. */
  readonly onEvent: (event: SpeechModelEvent) => void;
}

/** The model's side of one call. From the first `reply` on it replies to every turn of the callee by itself. */
export interface SpeechModelSession {
  /** All audio of the callee at 8 kHz, in order and with its silences. The samples are copied. */
  hear(samples: Int16Array): void;
  /** Speaks although the callee said nothing, following these instructions for one reply. */
  reply(instructions: string): void;
  /** The same, unless a reply was requested or has begun. */
  remind(instructions: string): void;
  /**
   * Stops the reply in progress, and withdraws replies that were requested. Of this item, the callee heard so much: the model
   * forgets the rest, or is informed of it. Nothing more is reported of the stopped reply, and it is not reported as done.
   */
  interrupt(itemId: string | null, heard: { readonly ms: number; readonly text: string }): void;
  /** Adds to what the model knows, without a reply. */
  inform(text: string): void;
  /** The call goes on in another language, a BCP 47 tag, with these instructions instead of those before. */
  changeLanguage(language: string, instructions: string): void;
  /** The result of a function, to which the model replies unless it is the last. Ignored for a call that was withdrawn. */
  answer(callId: string, output: unknown, isLast: boolean): void;
  /** `silent`: it is given up because it did not reply. */
  close(why?: "silent"): void;
}

/** Times count from the first sample that the model heard. */
export type SpeechModelEvent =
  | { readonly type: "callee_started"; readonly itemId: string; readonly atMs: number }
  | { readonly type: "callee_stopped"; readonly itemId: string; readonly atMs: number }
  /** What the callee said, which may come after the reply to it. Empty if it was not understood. */
  | { readonly type: "callee_said"; readonly itemId: string; readonly text: string }
  /** More of what the model says, at 8 kHz, faster than it is spoken. */
  | { readonly type: "audio"; readonly itemId: string; readonly samples: Int16Array }
  /** More of its words. They may come before or after their audio. */
  | { readonly type: "text"; readonly itemId: string; readonly text: string }
  | { readonly type: "function_called"; readonly callId: string; readonly name: string; readonly input: unknown }
  /** A reply is complete, was stopped by the model itself, or failed. */
  | { readonly type: "reply_done"; readonly failure: ProviderError | null }
  /** What the vendor counted since the last time. */
  | { readonly type: "used"; readonly inputTokens: number; readonly outputTokens: number }
  /** The connection is lost for good. */
  | { readonly type: "failed"; readonly error: ProviderError };

/** An agent as a model that hears and speaks conducts it: its instructions, and what follows from events. */
export interface SpeechScript {
  /** Of the call now, as a BCP 47 tag. A function may change it, and with it everything that is said by the script. */
  readonly language: string;
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  readonly isInterruptible: boolean;
  /** Spoken when the callee is silent, in order. */
  readonly silencePrompts: readonly string[];
  /** Spoken before the service hangs up. */
  readonly farewell: string;
  /** Spoken by another voice when no model is left to conduct the call. */
  readonly apology: string;
  /** The callee has answered. Everything for the journal goes to `note`, from now on. */
  begin(note: (note: ScriptNote) => void): SpeechOpening;
  /** A person is on the line. Before that, functions with effects wait. */
  permitEffects(): void;
  /** Carries out a function. Never rejects. */
  call(request: FunctionRequest): Promise<FunctionOutcome>;
  /** The callee said this. Returns what has to follow whatever the model does; null if nothing. Never rejects. */
  hear(text: string): Promise<ScriptStep | null>;
  /** A machine has answered. Never rejects. */
  meetMachine(kind: "voicemail" | "ivr" | "screening"): Promise<ScriptStep>;
  /** The transfer failed. Never rejects. */
  failTransfer(): Promise<ScriptStep>;
}

/** What is said first. */
export interface SpeechOpening {
  /** Said word for word; null if the model begins. */
  readonly text: string | null;
  /** The part of it without which no call may go on: the disclosure. */
  readonly mustHear: string | null;
  /** Whether the model goes on speaking after it, without waiting for the callee. */
  readonly goesOn: boolean;
}

/** What is said by another voice when the model is silent or gone. */
export type OwnLineName = "identification" | "moment" | "apology";

/** A sentence that does not depend on the model. */
export interface OwnLine {
  readonly text: string;
  /** At 8 kHz. */
  readonly clip: Int16Array;
}

/** Why there is no such sentence in the language of the call. */
export interface UnspokenLine {
  readonly unspoken: string;
}

/** They never reject. */
export type OwnLines = Readonly<Record<OwnLineName, Promise<OwnLine | UnspokenLine>>>;

export interface FunctionRequest {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What follows from an event in the script. */
export interface ScriptStep {
  /** What the agent says next, word for word; null if that is up to the model. */
  readonly say: string | null;
  /** What the line does after that; null if the conversation goes on. */
  readonly next:
    | null
    | {
        readonly type: "hang_up";
        readonly reason: "agent_hangup" | "voicemail_left" | "voicemail_hangup" | "engine_error";
      }
    | { readonly type: "transfer"; readonly request: LineTransfer }
    | { readonly type: "press"; readonly keys: string };
}

export interface FunctionOutcome extends ScriptStep {
  readonly output: unknown;
  /** What the callee has to hear from now on, in the language to which the call has changed. Left out: as before. */
  readonly mustHear?: string;
}

/** Entries for the journal, in order. Their time is when they are given. */
export type ScriptNote =
  | { readonly type: "entered"; readonly nodeId: string; readonly exit?: string }
  | { readonly type: "decided"; readonly decision: Decision }
  | { readonly type: "collected"; readonly name: string; readonly value: string | number | boolean | null }
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: "tool_result";
      readonly id: string;
      readonly name: string;
      readonly output: unknown;
      readonly ok: boolean;
    }
  | { readonly type: "language_noticed"; readonly language: string }
  | { readonly type: "suppress" };
