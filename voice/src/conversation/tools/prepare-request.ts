import type { FlowRequest, FlowTool } from "@parley/contract/flow-request";
import { fillVariables } from "@parley/flow/placeholders";

import type { McpFunction, McpToolRequest, ToolRequest } from "../../ports/tool-caller.ts";

/** A request with its placeholders filled in. The sender adds an id and the end of the call. */
export type PreparedRequest = Omit<ToolRequest, "id" | "signal">;

/** A call of a tool of an MCP server. */
export type PreparedMcpCall = Omit<McpToolRequest, "id" | "signal">;

type RequestValues = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 5000;
const WHOLE_PLACEHOLDER = /^\s*\{\{([^{}]*)\}\}\s*$/;

/**
 * What a model asked for, ready to be sent. A request of the flow may use all values; a tool of an MCP server gets only
 * the arguments that the model gave.
 */
export function prepareToolCall(
  tool: FlowTool | McpFunction,
  known: RequestValues,
  input: RequestValues,
): PreparedRequest | PreparedMcpCall {
  if ("request" in tool) return prepareRequest(tool.name, tool.request, { ...known, ...input });
  const { name, server, tool: toolName, timeoutMs } = tool;
  return { name, server, tool: toolName, arguments: input, timeoutMs };
}

/** Fills a request of a flow with values. An unknown value is empty within a text, and null if it is the whole text. */
export function prepareRequest(name: string, request: FlowRequest, values: RequestValues): PreparedRequest {
  const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, textOf(value)]));
  const encoded = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, encodeURIComponent(text)]));
  const hasBody = request.body !== undefined;
  return {
    name,
    method: request.method,
    url: request.url.replaceAll(/\{\{([^{}]*)\}\}/g, (_, inner: string) => ownValue(encoded, inner.trim())),
    headers: {
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...Object.fromEntries(
        Object.entries(request.headers ?? {}).map(([key, text]) => [key, printable(fillVariables(text, texts))]),
      ),
    },
    body: hasBody ? JSON.stringify(fillJson(request.body, values, texts)) : null,
    timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
  };
}

function fillJson(value: unknown, values: RequestValues, texts: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") {
    const name = WHOLE_PLACEHOLDER.exec(value)?.[1]?.trim();
    if (name === undefined) return fillVariables(value, texts);
    return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
  }
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values, texts));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, values, texts)]));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function ownValue(values: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(values, name) ? (values[name] ?? "") : "";
}

/** RFC 9110 section 5.5: what a header may hold safely is printable ASCII. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, " ").trim();
}
