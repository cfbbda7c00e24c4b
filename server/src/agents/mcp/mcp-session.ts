import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  ListToolsResultSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { MCP_TOOLS_MAX } from "@parley/contract/mcp-servers";
import { OutboundFailure } from "../../platform/outbound-http/outbound-failure.ts";
import { createOutboundFetch } from "../../platform/outbound-http/outbound-fetch.ts";
import type { OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";

/** Where a server is, and what it needs to know of us. */
export interface McpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A connection to an MCP server. Everything rejects with `McpFailure`. */
export interface McpSession {
  /** The tools it offers, at most `MCP_TOOLS_MAX`. */
  listTools(signal: AbortSignal): Promise<readonly Tool[]>;
  callTool(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** Why a server could not be used, as a sentence for the account that named it. */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  readonly retryable: boolean;

  constructor(message: string, options: { readonly retryable?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable ?? false;
  }
}

const CLIENT = { name: "parley", version: "1" };
/** For all replies within one request and its stream. */
const REPLY_BYTES_MAX = 1024 * 1024;
/** A page has a hundred tools or so; a server that always has a next page is stopped. */
const PAGES_MAX = 10;
const TERMINATE_MS = 1000;
/** Above every time that a caller may give by its signal, which is what ends a request. */
const REQUEST_MS = 60_000;

/**
 * Connects to a server through the restricted client for customers' URLs. Only streamable HTTP is spoken, and only requests of
 * ours are answered: no standing stream is opened, and a server that asks us for something is refused by the library.
 */
export async function openMcpSession(
  outbound: Pick<OutboundHttp, "stream">,
  { url, headers }: McpTarget,
  signal: AbortSignal,
): Promise<McpSession> {
  const broken = new AbortController();
  const client = new Client(CLIENT, { capabilities: {} });
  // The library reports a broken stream here, and lets the request wait.
  client.onerror = (error) => broken.abort(error);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: restrictedFetch(outbound),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const within = async <Result>(work: (signal: AbortSignal) => Promise<Result>, until: AbortSignal) => {
    const either = AbortSignal.any([until, broken.signal]);
    try {
      // The library ends the request by the signal; requests that it sends itself are ended by closing the transport.
      return await Promise.race([work(either), rejectedBy(either)]);
    } catch (error) {
      throw explain(broken.signal.aborted ? broken.signal.reason : error, until);
    }
  };
  try {
    await within((each) => client.connect(transport, { signal: each, timeout: REQUEST_MS }), signal);
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    // Ends the session at the server too. It expires there anyway if that fails or takes long.
    if (transport.sessionId !== undefined && !broken.signal.aborted) {
      await Promise.race([
        transport.terminateSession().catch((error: unknown) => broken.abort(error)),
        rejectedBy(AbortSignal.timeout(TERMINATE_MS)).catch((reason: unknown) => broken.abort(reason)),
      ]);
    }
    await client.close();
  }

  return {
    async listTools(until) {
      const tools: Tool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < PAGES_MAX && tools.length < MCP_TOOLS_MAX; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const reply = await within(
          (each) =>
            client.request({ method: "tools/list", params }, ListToolsResultSchema, {
              signal: each,
              timeout: REQUEST_MS,
            }),
          until,
        );
        tools.push(...reply.tools);
        cursor = reply.nextCursor;
        if (cursor === undefined) break;
      }
      return tools.slice(0, MCP_TOOLS_MAX);
    },
    // Not the library's callTool: it would compile the server's schemas of results into regular expressions.
    callTool: (name, args, until) =>
      within(
        (each) =>
          client.request({ method: "tools/call", params: { name, arguments: { ...args } } }, CallToolResultSchema, {
            signal: each,
            timeout: REQUEST_MS,
          }),
        until,
      ),
    close,
  };
}

/** One promise per use, with the listener removed once the signal is garbage: the signals here live as long as one request. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function restrictedFetch(outbound: Pick<OutboundHttp, "stream">): typeof fetch {
  // A tool may have an effect.
  const send = createOutboundFetch(outbound, { repeatable: false });
  return async (input, init) => {
    // RFC 9110 section 15.5.6; the protocol's way to say that there is no standing stream.
    if (init?.method === "GET") return new Response(null, { status: 405 });
    const reply = await send(input, init);
    if (reply.status >= 300 && reply.status <= 399) {
      await reply.body?.cancel();
      throw new OutboundFailure("bad_reply", "The server answers with a redirect, which is not followed.");
    }
    if (reply.body === null) return reply;
    return new Response(reply.body.pipeThrough(limitBytes()), { status: reply.status, headers: reply.headers });
  };
}

function limitBytes(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes > REPLY_BYTES_MAX) {
        throw new OutboundFailure("too_large", `The reply is larger than ${REPLY_BYTES_MAX / 1024} KiB.`);
      }
      controller.enqueue(piece);
    },
  });
}

function explain(error: unknown, until: AbortSignal): McpFailure {
  if (error instanceof McpFailure) return error;
  if (until.aborted) {
    const isLate = until.reason instanceof DOMException && until.reason.name === "TimeoutError";
    return new McpFailure(isLate ? "The server did not answer in time." : "The request was called off.", {
      retryable: isLate,
      cause: until.reason,
    });
  }
  const failure = findFailure(error);
  if (failure !== null) return new McpFailure(failure.message, { retryable: failure.retryable, cause: error });
  if (error instanceof StreamableHTTPError) {
    const words =
      error.code !== undefined && error.code >= 100
        ? `The server answers with the status ${error.code}.`
        : "The server does not answer in the form of the protocol.";
    return new McpFailure(words, { cause: error });
  }
  // What the server says about its failure is not repeated: it is not for the agent to act upon.
  if (error instanceof McpError) return new McpFailure(`The server refuses it (code ${error.code}).`, { cause: error });
  return new McpFailure("The server does not answer in the form of the protocol.", { cause: error });
}

/** The library puts failures of its streams into errors of its own, of which only the text is left. */
function findFailure(error: unknown): OutboundFailure | null {
  if (error instanceof OutboundFailure) return error;
  if (!(error instanceof Error)) return null;
  const [, words] = /^SSE stream disconnected: (?:OutboundFailure: )?(.*)$/s.exec(error.message) ?? [];
  if (words !== undefined) return new OutboundFailure("connection_lost", words);
  return findFailure(error.cause);
}
