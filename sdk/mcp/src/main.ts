#!/usr/bin/env node
import { parseArgs } from "node:util";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveHttp } from "./serve-http.ts";
import { createServer } from "./server.ts";
import { openServiceAccess } from "./service-access.ts";

const HELP = `parley-mcp: lets programs that speak the Model Context Protocol build agents and place calls.

  parley-mcp                  over standard input and output, with PARLEY_URL and PARLEY_API_KEY
  parley-mcp --http PORT      over streamable HTTP on this machine; clients send their own API key as a bearer token
  --host ADDRESS              with --http: listen on another address than 127.0.0.1
`;

try {
  const { values } = parseArgs({
    options: { http: { type: "string" }, host: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const url = process.env["PARLEY_URL"];
    if (!url) throw new Error("Set PARLEY_URL to the address of the service.");
    if (values.http === undefined) await serveStdio(url);
    else await listen(url, values.http, values.host ?? "127.0.0.1");
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function serveStdio(url: string): Promise<void> {
  const key = process.env["PARLEY_API_KEY"];
  if (!key) throw new Error("Set PARLEY_API_KEY to an API key of the service.");
  const server = createServer(await openServiceAccess(url, key));
  await server.connect(new StdioServerTransport());
}

async function listen(url: string, port: string, host: string): Promise<void> {
  const { address } = await serveHttp({ url, port: Number(port), host });
  process.stderr.write(`Listening on ${address}\n`);
}
