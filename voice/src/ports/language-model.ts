/** The port to a language model. Text comes as it is made, so that the first clause can be spoken while the rest is written. */
export interface LanguageModel {
  readonly name: string;
  /**
   * The iteration ends after the last part; it throws a ProviderError when the model failed, and the signal's reason
   * soon after it was aborted. Nothing is retried here: the caller knows how long the callee can wait.
   */
  reply(request: ModelRequest): AsyncIterable<ModelPart>;
}

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly temperature?: number;
  readonly outputTokensMax?: number;
  readonly signal: AbortSignal;
}

export type ModelMessage =
  | { readonly role: "callee"; readonly text: string }
  /** Only what the callee heard of it. */
  | { readonly role: "agent"; readonly text: string }
  | { readonly role: "tool_call"; readonly callId: string; readonly tool: string; readonly input: unknown }
  | { readonly role: "tool_result"; readonly callId: string; readonly tool: string; readonly output: unknown };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of what the tool takes. */
  readonly inputSchema: object;
}

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_call"; readonly callId: string; readonly tool: string; readonly input: unknown }
  | { readonly type: "finished"; readonly inputTokens: number | null; readonly outputTokens: number | null };
