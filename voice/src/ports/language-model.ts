import type { ProviderError } from "./provider-error.ts";

/** The port to a language model. Text is streamed, so that the first clause can be spoken while the rest is written. */
export interface LanguageModel {
  readonly name: string;
  /**
   * How long it may take to its first part, if it enforces a timeout of its own, as one that asks several models in
   * turn does. Omitted: the caller decides how long to wait.
   */
  readonly firstPartWithinMs?: number | undefined;
  /**
   * The iteration ends after the last part; it throws a ProviderError when the model failed, and the signal's reason
   * soon after it was aborted. Nothing is retried here: the caller knows how long the callee can wait.
   */
  reply(request: ModelRequest): AsyncIterable<ModelPart>;
}

export interface ModelRequest {
  /** The name of the requested model. A model that stands for several asks it before the others; a single one ignores it. */
  readonly model?: string;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly temperature?: number;
  readonly outputTokensMax?: number;
  readonly signal: AbortSignal;
  /** Called by a model that stands for several, with the name of each that it asks. */
  readonly onAsked?: (model: string) => void;
  /** Called by a model that stands for several, with the name of the one whose parts follow. */
  readonly onAnswering?: (model: string) => void;
  /** Called by a model that stands for several, with the name of each that was asked but was not needed: it has not failed. */
  readonly onLost?: (model: string) => void;
  /** Called by a model that stands for several, for each that failed before another was asked instead. */
  readonly onFailure?: (failure: ProviderError) => void;
}

export type ModelMessage =
  | { readonly role: "callee"; readonly text: string }
  /** Only what the callee heard of it. */
  | { readonly role: "agent"; readonly text: string }
  | {
      readonly role: "tool_call";
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      readonly vendorState?: VendorState;
    }
  /**
   * May arrive later than its call, even after more was said; a call without one is shown to the model as still
   * running.
   */
  | { readonly role: "tool_result"; readonly callId: string; readonly tool: string; readonly output: unknown };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the tool's input. */
  readonly inputSchema: object;
}

/** What the vendor of a tool call needs back with it, opaque. Other vendors never see it. */
export interface VendorState {
  readonly provider: string;
  readonly value: unknown;
}

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  /** The model has started to write a call; it may still fail before the call is complete. Nothing depends on it. */
  | { readonly type: "tool_call_started"; readonly tool: string }
  /**
   * Sent once the reply is complete, so that no tool runs on half a reply. The id is one that no earlier call of the
   * conversation has; the input is an object, but it is not validated against the schema.
   */
  | {
      readonly type: "tool_call";
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      readonly vendorState?: VendorState;
    }
  /** Comes last, once. A reply with neither text nor call is a failure and has none. */
  | {
      readonly type: "finished";
      readonly inputTokens: number | null;
      readonly outputTokens: number | null;
      /** The reply ended at a limit or a filter: its last words may be incomplete. */
      readonly wasCut?: boolean;
    };

/** The models with the one of this name first; unchanged if none has it. */
export function requestedFirst(models: readonly LanguageModel[], name: string | undefined): readonly LanguageModel[] {
  const requested = models.find((model) => model.name === name);
  return requested === undefined ? models : [requested, ...models.filter((model) => model !== requested)];
}
