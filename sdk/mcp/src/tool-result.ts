import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { ApiError } from "@parley/sdk";

/** A result as the client's model reads it. */
export function result(...parts: readonly (string | object)[]): CallToolResult {
  const text = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part, null, 2))).join("\n\n");
  return { content: [{ type: "text", text }] };
}

/** What went wrong, so that the model can correct it: the code, the sentence, and each field at fault. */
export function failure(error: unknown): CallToolResult {
  if (error instanceof ApiError) {
    const { code, message, details, retryable } = error;
    return { ...result({ error: { code, message, details, retryable } }), isError: true };
  }
  return { ...result({ error: { message: error instanceof Error ? error.message : String(error) } }), isError: true };
}

export function refusal(message: string): CallToolResult {
  return { ...result({ error: { message } }), isError: true };
}
