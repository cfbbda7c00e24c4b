import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as McpProtocolServer } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";

/** What the server does with a request over HTTP, before the protocol sees it. True: nothing more is done. */
type Interfere = (request: IncomingMessage, reply: ServerResponse, body: string) => boolean;

export interface McpFarEnd {
  readonly url: string;
  /** What it offers; may be changed while it runs. */
  tools: Tool[];
  /** How it answers calls. */
  answer: (name: string, args: unknown) => Promise<CallToolResult> | CallToolResult;
  interfere: Interfere;
  /** Every call of a tool, in order. */
  readonly calls: { readonly name: string; readonly args: unknown }[];
  /** The headers of every request. */
  readonly headers: IncomingMessage["headers"][];
  close(): Promise<void>;
}

export const FIND_TOOL: Tool = {
  name: "find_customer",
  description: "Finds a customer by phone number.",
  inputSchema: { type: "object", properties: { phone: { type: "string" } }, required: ["phone"] },
  annotations: { readOnlyHint: true },
};

/** A real MCP server on loopback, made with the official library. */
export async function openMcpFarEnd(): Promise<McpFarEnd> {
  const far: Omit<McpFarEnd, "url" | "close"> = {
    tools: [FIND_TOOL],
    answer: () => ({ content: [{ type: "text", text: "Ada Lovelace, customer since 1843." }] }),
    interfere: () => false,
    calls: [],
    headers: [],
  };
  const server = createServer((request, reply) => {
    far.headers.push(request.headers);
    void readBody(request).then(async (body) => {
      if (far.interfere(request, reply, body)) return;
      const protocol = serveProtocol(far);
      const transport = new StreamableHTTPServerTransport({});
      reply.on("close", () => void transport.close());
      await protocol.connect(transport as Parameters<typeof protocol.connect>[0]);
      await transport.handleRequest(request, reply, body === "" ? undefined : JSON.parse(body));
    });
  });
  const port = await listen(server);
  return Object.assign(far, {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function serveProtocol(far: Pick<McpFarEnd, "tools" | "answer" | "calls">): McpProtocolServer {
  const protocol = new McpProtocolServer({ name: "crm", version: "1" }, { capabilities: { tools: {} } });
  protocol.setRequestHandler(ListToolsRequestSchema, () => ({ tools: far.tools }));
  protocol.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args } }) => {
    far.calls.push({ name, args });
    return far.answer(name, args);
  });
  return protocol;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
