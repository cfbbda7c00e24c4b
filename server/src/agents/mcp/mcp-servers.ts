import { AppError, invalidField } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import {
  MCP_SERVERS_MAX,
  type McpApprovals,
  type McpServer,
  type McpServerChanges,
  type NewMcpServer,
} from "@parley/contract/mcp-servers";
import type { Updateable } from "kysely";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema/schema.ts";
import type { OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import { explainBadHeader } from "../../platform/outbound-http/outbound-request.ts";
import { explainBadUrl } from "../../platform/outbound-http/read-target.ts";
import {
  approveTool,
  countServers,
  findServerRow,
  insertServer,
  listToolRows,
  lockServerRow,
  type McpServerRow,
  replaceOfferedTools,
  revokeTools,
  toServer,
  updateServer,
} from "./mcp-server-store.ts";
import { McpFailure, type McpTarget, openMcpSession } from "./mcp-session.ts";
import { type OfferedTool, readOfferedTool } from "./tool-definition.ts";

export interface McpServerDeps {
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly outbound: Pick<OutboundHttp, "policy" | "stream">;
  readonly nowMs: () => number;
}

const headersPlace = (id: string) => `mcp_servers/${id}/headers`;

/** Adds a server to those that agents of the account may use. Its tools are read afterwards. */
export async function createServer(
  { secrets, outbound }: McpServerDeps,
  tx: Tx,
  accountId: string,
  input: NewMcpServer,
): Promise<McpServerRow> {
  checkTarget(input, outbound.policy);
  if ((await countServers(tx, accountId)) >= MCP_SERVERS_MAX) {
    throw new AppError("invalid_state", `An account has at most ${MCP_SERVERS_MAX} MCP servers.`);
  }
  const id = makeId("mcpServer");
  const row = await insertServer(tx, {
    id,
    account_id: accountId,
    name: input.name,
    url: input.url,
    header_names: Object.keys(input.headers),
    headers_sealed: secrets.seal(JSON.stringify(input.headers), headersPlace(id)),
    timeout_ms: input.timeoutMs,
    is_enabled: input.isEnabled,
  });
  if (row === null) throw new AppError("invalid_state", `The account has an MCP server named ${input.name} already.`);
  return row;
}

/** Changes what is named. At another URL there may be another server, so nothing of it is approved any more. */
export async function changeServer(
  { secrets, outbound }: McpServerDeps,
  tx: Tx,
  accountId: string,
  id: string,
  changes: McpServerChanges,
): Promise<McpServerRow> {
  const before = await lockServerRow(tx, accountId, id);
  if (before === null) throw unknownServer();
  checkTarget(changes, outbound.policy);
  refuseRedirectedHeaders(before, changes);
  const { url, headers, timeoutMs, isEnabled } = changes;
  const set: Updateable<Schema["mcp_servers"]> = {};
  if (url !== undefined) set.url = url;
  if (timeoutMs !== undefined) set.timeout_ms = timeoutMs;
  if (isEnabled !== undefined) set.is_enabled = isEnabled;
  if (headers !== undefined) {
    set.header_names = Object.keys(headers);
    set.headers_sealed = secrets.seal(JSON.stringify(headers), headersPlace(id));
  }
  if (url !== undefined && url !== before.url) {
    await revokeTools(tx, id, null);
    await replaceOfferedTools(tx, id, []);
    Object.assign(set, { checked_at: null, problem: null });
  }
  return updateServer(tx, id, set);
}

/** Header values are never shown, so they must not be sent to a host chosen by a later change of the URL. */
function refuseRedirectedHeaders(before: McpServerRow, { url, headers }: McpServerChanges): void {
  if (url === undefined || headers !== undefined || before.header_names.length === 0) return;
  if (new URL(url).origin === new URL(before.url).origin) return;
  throw invalidField(
    "headers",
    "required",
    "headers must be sent again, because those that are kept are for another host. Send {} for none.",
  );
}

/**
 * Reads the tools of a server and stores what it says. A server that cannot be read keeps its tools, with the reason as
 * its problem.
 */
export async function refreshServer(
  deps: McpServerDeps,
  db: Database,
  accountId: string,
  id: string,
): Promise<McpServer> {
  const row = await findServerRow(db, accountId, id);
  if (row === null) throw unknownServer();
  const read = await readTools(deps, row);
  return inTransaction(db, async (tx) => {
    const now = await lockServerRow(tx, accountId, id);
    if (now === null) throw unknownServer();
    // What was read is about the server that was there when reading began.
    if (now.url === row.url) {
      if (read.tools !== null) await replaceOfferedTools(tx, id, read.tools);
      await updateServer(tx, id, { checked_at: new Date(deps.nowMs()), problem: read.problem });
    }
    return readServer(tx, accountId, id);
  });
}

interface ReadTools {
  /** Null if they could not be read. */
  readonly tools: readonly OfferedTool[] | null;
  readonly problem: string | null;
}

const PROBLEMS_NAMED_MAX = 5;

async function readTools({ secrets, outbound }: McpServerDeps, row: McpServerRow): Promise<ReadTools> {
  const signal = AbortSignal.timeout(row.timeout_ms);
  try {
    const session = await openMcpSession(outbound, openTarget(secrets, row), signal);
    try {
      const read = (await session.listTools(signal)).map(readOfferedTool);
      const tools = new Map(read.flatMap((each) => ("digest" in each ? [[each.name, each] as const] : [])));
      const left = read.flatMap((each) => ("problem" in each ? [`${each.name} ${each.problem}`] : []));
      const named = left.slice(0, PROBLEMS_NAMED_MAX).join("; ");
      const problem = left.length === 0 ? null : `${left.length} of its tools cannot be used: ${named}.`;
      return { tools: [...tools.values()], problem };
    } finally {
      await session.close();
    }
  } catch (error) {
    if (error instanceof McpFailure) return { tools: null, problem: error.message };
    throw error;
  }
}

/** Where the server is, with the values of its headers. */
export function openTarget(secrets: Pick<Secrets, "open">, row: McpServerRow): McpTarget {
  return { url: row.url, headers: JSON.parse(secrets.open(row.headers_sealed, headersPlace(row.id))) };
}

/** Approves tools as a member has read them, and withdraws approvals. All of it or nothing. */
export async function approveTools(
  tx: Tx,
  accountId: string,
  id: string,
  { approve, revoke }: McpApprovals,
  memberId: string,
): Promise<McpServer> {
  if ((await lockServerRow(tx, accountId, id)) === null) throw unknownServer();
  for (const tool of approve) {
    if (await approveTool(tx, id, tool, memberId)) continue;
    throw new AppError(
      "invalid_state",
      `The tool ${tool.name} is not offered in the form that you have read; read the tools again before you approve it.`,
    );
  }
  if (revoke.length > 0) await revokeTools(tx, id, revoke);
  return readServer(tx, accountId, id);
}

export async function readServer(db: Database, accountId: string, id: string): Promise<McpServer> {
  const row = await findServerRow(db, accountId, id);
  if (row === null) throw unknownServer();
  return toServer(row, await listToolRows(db, [id]));
}

/** The protocol's own headers, and those that say in what form a message is. */
const OWN_HEADERS = /^(?:mcp-.*|last-event-id|content-type|accept|user-agent)$/i;

function checkTarget(
  { url, headers = {} }: Pick<McpServerChanges, "url" | "headers">,
  policy: OutboundHttp["policy"],
): void {
  const badUrl = url === undefined ? null : explainBadUrl(url, policy);
  if (badUrl !== null) throw invalidField("url", "not_reachable", badUrl);
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const mistake = OWN_HEADERS.test(name)
      ? `The header ${name} cannot be set; it is written for you.`
      : isRepeated
        ? `The header ${name} is there twice.`
        : explainBadHeader(name, value);
    if (mistake !== null) throw invalidField("headers", "bad_header", mistake);
  }
}

/** The same whether another account has it or it does not exist. */
export function unknownServer(): AppError {
  return new AppError("not_found", "The account has no such MCP server.");
}
