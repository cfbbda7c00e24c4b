import * as routes from "@parley/contract/routes/mcp-servers";
import { auditRequest } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { deleteServer, listServerRows, listToolRows, toServer } from "./mcp-server-store.ts";
import {
  approveTools,
  changeServer,
  createServer,
  type McpServerDeps,
  readServer,
  refreshServer,
  unknownServer,
} from "./mcp-servers.ts";

export interface McpRouteDeps extends McpServerDeps {
  readonly db: Database;
  readonly cursors: Cursors;
}

/** MCP servers of an account, and the approval of their tools. */
export function mcpServerRoutes(deps: McpRouteDeps): BoundRoute[] {
  const { db, cursors } = deps;
  return [
    handle(routes.listMcpServers, async ({ accountId, query }) => {
      const filter = ["mcp-servers", accountId];
      const [afterId = null] = query.cursor ? cursors.read(query.cursor, filter) : [];
      const rows = await listServerRows(db, accountId, afterId, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.id], filter));
      const ids = page.rows.map(({ id }) => id);
      const tools = await listToolRows(db, ids);
      return { data: page.rows.map((row) => toServer(row, tools)), nextCursor: page.nextCursor };
    }),
    handle(routes.createMcpServer, async (request) => {
      const { id } = await inTransaction(db, async (tx) => {
        const row = await createServer(deps, tx, request.accountId, request.body);
        await auditRequest(tx, request, "mcp_server.created", row.id, { name: row.name, host: new URL(row.url).host });
        return row;
      });
      return { data: await refreshServer(deps, db, request.accountId, id) };
    }),
    handle(routes.getMcpServer, async ({ accountId, params }) => ({
      data: await readServer(db, accountId, params.id),
    })),
    handle(routes.changeMcpServer, (request) =>
      inTransaction(db, async (tx) => {
        const { accountId, params, body } = request;
        const row = await changeServer(deps, tx, accountId, params.id, body);
        await auditRequest(tx, request, "mcp_server.changed", row.id, { name: row.name, host: new URL(row.url).host });
        return { data: await readServer(tx, accountId, params.id) };
      }),
    ),
    handle(routes.deleteMcpServer, (request) =>
      inTransaction(db, async (tx) => {
        if (!(await deleteServer(tx, request.accountId, request.params.id))) throw unknownServer();
        await auditRequest(tx, request, "mcp_server.deleted", request.params.id);
        return { data: {} };
      }),
    ),
    handle(routes.refreshMcpServer, async ({ accountId, params }) => ({
      data: await refreshServer(deps, db, accountId, params.id),
    })),
    handle(routes.approveMcpTools, (request) =>
      inTransaction(db, async (tx) => {
        const { accountId, params, body, member } = request;
        const data = await approveTools(tx, accountId, params.id, body, member.memberId);
        const approved = body.approve.map(({ name }) => name);
        await auditRequest(tx, request, "mcp_server.tools_approved", params.id, { approved, revoked: body.revoke });
        return { data };
      }),
    ),
  ];
}
