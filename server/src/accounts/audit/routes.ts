import type { AuditEntry } from "@parley/contract/accounts";
import { listAudit } from "@parley/contract/routes/members";
import type { Database } from "../../platform/database/database.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { type AuditRow, listAuditRows } from "./audit-store.ts";

/** Who did what in the account, newest first. */
export function auditRoutes({ db, cursors }: { readonly db: Database; readonly cursors: Cursors }): BoundRoute[] {
  return [
    handle(listAudit, async ({ accountId, query }) => {
      const { limit, cursor, ...filter } = query;
      const tie = ["audit", accountId, filter.action, filter.actor, filter.createdAfter, filter.createdBefore];
      const [createdAt, id] = cursor ? cursors.read(cursor, tie) : [];
      const after = createdAt && id ? { createdAt: new Date(createdAt), id } : null;
      const rows = await listAuditRows(db, accountId, filter, limit + 1, after);
      const page = toPage(rows, limit, (last) => cursors.write([last.created_at.toISOString(), last.id], tie));
      return { data: page.rows.map(toEntry), nextCursor: page.nextCursor };
    }),
  ];
}

function toEntry({ created_at, actor_name, ...entry }: AuditRow): AuditEntry {
  return { ...entry, actorName: actor_name, createdAt: created_at.toISOString() };
}
