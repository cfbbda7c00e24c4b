import { z } from "zod";
import { idSchema } from "../ids.ts";
import { McpApprovals, McpServer, McpServerChanges, McpServerQuery, NewMcpServer } from "../mcp-servers.ts";
import { Done, defineRoute } from "../route.ts";

const ServerParams = z.strictObject({ id: idSchema("mcpServer") });
const reading = { by: "key_or_member", scope: "agents:read" } as const;
/** What agents may use outside is decided by people, not by keys. */
const deciding = { by: "member", role: "member" } as const;
const tag = "MCP servers";

export const listMcpServers = defineRoute({
  id: "listMcpServers",
  method: "GET",
  path: "/api/v1/mcp-servers",
  tag,
  summary: "List MCP servers with their tools, newest first",
  access: reading,
  query: McpServerQuery,
  data: McpServer,
  paged: true,
});

export const createMcpServer = defineRoute({
  id: "createMcpServer",
  method: "POST",
  path: "/api/v1/mcp-servers",
  tag,
  summary: "Add an MCP server and read its tools, which agents can use once they are approved",
  access: deciding,
  body: NewMcpServer,
  data: McpServer,
  errors: ["invalid_state"],
});

export const getMcpServer = defineRoute({
  id: "getMcpServer",
  method: "GET",
  path: "/api/v1/mcp-servers/{id}",
  tag,
  summary: "Get an MCP server with its tools",
  access: reading,
  params: ServerParams,
  data: McpServer,
  errors: ["not_found"],
});

export const changeMcpServer = defineRoute({
  id: "changeMcpServer",
  method: "PATCH",
  path: "/api/v1/mcp-servers/{id}",
  tag,
  summary: "Change, enable or disable an MCP server; another URL withdraws all approvals",
  access: deciding,
  params: ServerParams,
  body: McpServerChanges,
  data: McpServer,
  errors: ["not_found"],
});

export const deleteMcpServer = defineRoute({
  id: "deleteMcpServer",
  method: "DELETE",
  path: "/api/v1/mcp-servers/{id}",
  tag,
  summary: "Remove an MCP server; agents can no longer use its tools",
  access: deciding,
  params: ServerParams,
  data: Done,
  errors: ["not_found"],
});

export const refreshMcpServer = defineRoute({
  id: "refreshMcpServer",
  method: "POST",
  path: "/api/v1/mcp-servers/{id}/refresh",
  tag,
  summary: "Read the tools of an MCP server again",
  access: deciding,
  params: ServerParams,
  body: z.strictObject({}),
  bodyOptional: true,
  data: McpServer,
  errors: ["not_found"],
});

export const approveMcpTools = defineRoute({
  id: "approveMcpTools",
  method: "POST",
  path: "/api/v1/mcp-servers/{id}/approvals",
  tag,
  summary: "Approve tools as they were last read, or withdraw approvals",
  access: deciding,
  params: ServerParams,
  body: McpApprovals,
  data: McpServer,
  errors: ["not_found", "invalid_state"],
});
