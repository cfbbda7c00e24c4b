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
  /** Never called after the session was closed. */
  readonly onEvent: (event: SpeechModelEvent) => void;
}

/** The model's side of one call. It replies to every turn of the callee by itself. */
export interface SpeechModelSession {
  /** All audio of the callee at 8 kHz, in order and with its silences. The samples are copied. */
  hear(samples: Int16Array): void;
  /** Speaks although the callee said nothing, following these instructions for one reply. */
  reply(instructions: string): void;
  /** Stops the reply in progress. Of this item, the callee heard so much: the model forgets the rest. */
  interrupt(itemId: string | null, heardMs: number): void;
  /** The result of a function, to which the model replies unless it is the last. */
  answer(callId: string, output: unknown, isLast: boolean): void;
  close(): void;
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
  /** The reply is complete, or was stopped. */
  | { readonly type: "reply_done"; readonly failure: ProviderError | null }
  /** The connection is lost for good. */
  | { readonly type: "failed"; readonly error: ProviderError };

/** What a model that hears and speaks is told, and what it may do. */
export interface SpeechScript {
  readonly instructions: string;
  /** Said first, word for word: the disclosure, and the greeting. */
  readonly opening: string;
  readonly tools: readonly ModelTool[];
  /** Carries out a function. Never rejects. */
  call(request: { readonly id: string; readonly name: string; readonly input: unknown }): Promise<FunctionOutcome>;
}

export interface FunctionOutcome {
  readonly ok: boolean;
  readonly output: unknown;
  /** What the line does after it. Omitted: the conversation goes on. */
  readonly next?:
    | { readonly type: "hang_up"; readonly farewell: string | null }
    | { readonly type: "transfer"; readonly request: LineTransfer }
    | { readonly type: "press"; readonly keys: string };
}
