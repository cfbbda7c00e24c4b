/** The port that sends the HTTP requests of a flow. The implementation decides which addresses may be reached. */
export interface ToolCaller {
  /**
   * Sends the request once. Whatever the status is, a reply is a reply; rejects with a ProviderError when there was none
   * in time, or with the signal's reason. It is never called twice with one id.
   */
  call(request: ToolRequest): Promise<ToolReply>;
  /** The same for a tool of an MCP server. Omitted where there are none. */
  callMcpTool?(request: McpToolRequest): Promise<ToolReply>;
}

/** A tool of an MCP server, as it was approved for agents. */
export interface McpFunction {
  /** The name by which models call it, in which a hyphen follows the server: names of a flow's own tools have none. */
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly timeoutMs: number;
}

export interface McpToolRequest {
  /** Unique within the call. */
  readonly id: string;
  /** The name of the function. */
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** Aborted when the call is over. */
  readonly signal: AbortSignal;
}

export interface ToolRequest {
  /** Unique within the call, and the same for the same intention: for an idempotency key. */
  readonly id: string;
  /** The node or the tool that makes the request. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or null for a request without a body. */
  readonly body: string | null;
  readonly timeoutMs: number;
  /** Aborted when the call is over. An interruption by the callee does not abort it. */
  readonly signal: AbortSignal;
}

export interface ToolReply {
  readonly status: number;
  /** The body: parsed if it is JSON, otherwise its text; null when it is empty. */
  readonly body: unknown;
  /** Why it is no success although the status says so: the tool itself reports a failure. */
  readonly failure?: string;
}
