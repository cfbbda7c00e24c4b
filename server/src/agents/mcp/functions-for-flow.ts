import type { FlowWarning } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import type { McpFunction } from "@parley/voice/ports/tool-caller";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import { findServersByName, listToolRows, type McpServerRow, type McpToolRow, stateOf } from "./mcp-server-store.ts";
import { openTarget } from "./mcp-servers.ts";
import type { McpTarget } from "./mcp-session.ts";

/** What a conversation may use of MCP servers, as plain data that can be given to another thread. */
export interface McpPlan {
  readonly functions: readonly McpFunction[];
  /** By the names of the servers. */
  readonly targets: Readonly<Record<string, McpTarget>>;
  /** What was approved, by the names of functions. */
  readonly digests: Readonly<Record<string, string>>;
  /** Tools that the flow lists and that cannot be used, each with the reason. */
  readonly unusable: readonly string[];
}

export const NO_MCP: McpPlan = { functions: [], targets: {}, digests: {}, unusable: [] };

/** Finds the tools that a flow lists, as they were approved, and where they are. */
export async function mcpPlanForFlow(
  secrets: Pick<Secrets, "open">,
  db: Database,
  accountId: string,
  flow: Flow,
): Promise<McpPlan> {
  const listed = toolsListedIn(flow);
  if (listed.length === 0) return NO_MCP;
  const found = await findListed(db, accountId, listed);
  const { functions, digests, unusable } = nameFunctions(found);
  const used = found.flatMap(({ server, row, problem }) => (row && problem === null ? [[server, row] as const] : []));
  const targets = Object.fromEntries(new Map(used).entries().map(([name, row]) => [name, openTarget(secrets, row)]));
  return { functions, targets, digests, unusable };
}

/** The functions alone, for conversations in which no server is asked. */
export async function mcpFunctionsForFlow(
  db: Database,
  accountId: string,
  flow: Flow,
): Promise<readonly McpFunction[]> {
  return nameFunctions(await findListed(db, accountId, toolsListedIn(flow))).functions;
}

/** A warning for each tool that a flow lists and calls cannot use. */
export async function warnOfMcpTools(db: Database, accountId: string, flow: Flow): Promise<FlowWarning[]> {
  const found = await findListed(db, accountId, toolsListedIn(flow));
  return flow.nodes.flatMap((node, index) =>
    (node.type === "conversation" ? (node.mcpTools ?? []) : []).flatMap(({ server, tool }, place): FlowWarning[] => {
      const problem = found.find((each) => each.server === server && each.tool === tool)?.problem ?? null;
      if (problem === null) return [];
      const message = `The node ${node.id} lists the tool ${tool} of the MCP server ${server}, which calls cannot use: ${problem}.`;
      return [
        {
          param: `flow.nodes[${index}].mcpTools[${place}]`,
          code: "unusable_mcp_tool",
          message,
          parts: { server, tool, problem },
        },
      ];
    }),
  );
}

interface ListedTool {
  readonly server: string;
  readonly tool: string;
}

interface FoundTool extends ListedTool {
  readonly row: McpServerRow | undefined;
  readonly found: McpToolRow | undefined;
  /** Why calls cannot use it. */
  readonly problem: string | null;
}

async function findListed(db: Database, accountId: string, listed: readonly ListedTool[]): Promise<FoundTool[]> {
  if (listed.length === 0) return [];
  const rows = await findServersByName(db, accountId, [...new Set(listed.map(({ server }) => server))]);
  const ids = rows.map(({ id }) => id);
  const tools = await listToolRows(db, ids);
  return listed.map(({ server, tool }) => {
    const row = rows.find(({ name }) => name === server);
    const found = tools.find(({ server_id: id, name }) => id === row?.id && name === tool);
    return { server, tool, row, found, problem: problemOf(row, found) };
  });
}

function nameFunctions(all: readonly FoundTool[]): Pick<McpPlan, "functions" | "digests" | "unusable"> {
  const functions: McpFunction[] = [];
  const digests: Record<string, string> = {};
  const unusable: string[] = [];
  for (const { server, tool, row, found, problem } of all) {
    const { approved_definition: approved, approved_digest: digest } = found ?? {};
    if (problem !== null || !row || !approved || !digest) {
      unusable.push(`${server}/${tool}: ${problem ?? "it is not approved"}`);
      continue;
    }
    const taken = functions.map((each) => each.name);
    const name = functionName(server, tool, taken);
    const { description, inputSchema } = approved;
    functions.push({ name, server, tool, description, inputSchema, timeoutMs: row.timeout_ms });
    digests[name] = digest;
  }
  return { functions, digests, unusable };
}

/** Each once, in the order of the document. */
function toolsListedIn({ nodes }: Flow): readonly ListedTool[] {
  const all = nodes.flatMap((node) => (node.type === "conversation" ? (node.mcpTools ?? []) : []));
  return [...new Map(all.map((each) => [`${each.server}/${each.tool}`, each])).values()];
}

function problemOf(
  server: { readonly is_enabled: boolean } | undefined,
  tool: Parameters<typeof stateOf>[0] | undefined,
): string | null {
  if (server === undefined) return "the account has no such MCP server";
  if (!server.is_enabled) return "the MCP server is disabled";
  if (tool === undefined) return "the MCP server offers no such tool";
  switch (stateOf(tool)) {
    case "new":
      return "it is not approved";
    case "changed":
      return "it changed since it was approved";
    case "missing":
      return "the MCP server no longer offers it";
    case "approved":
      return null;
  }
}

/** What every vendor of language models accepts as the name of a function. */
const NAME_LENGTH_MAX = 64;

function functionName(server: string, tool: string, taken: readonly string[]): string {
  const plain = `${server}-${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
  let name = plain.slice(0, NAME_LENGTH_MAX);
  for (let count = 2; taken.includes(name); count += 1) {
    const suffix = `_${count}`;
    name = `${plain.slice(0, NAME_LENGTH_MAX - suffix.length)}${suffix}`;
  }
  return name;
}
