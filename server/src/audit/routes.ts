import { listAudit } from "@parley/contract/routes/members";
import type { Database } from "../database/database.ts";
import { type Cursors, toPage } from "../http/cursor.ts";
import { type BoundRoute, handle } from "../http/handler.ts";
import { listAuditRows } from "./audit-store.ts";

/** Who did what in the account, newest first. */
export function auditRoutes({ db, cursors }: { readonly db: Database; readonly cursors: Cursors }): BoundRoute[] {
  return [
    handle(listAudit, async ({ accountId, query }) => {
      const filter = ["audit", accountId];
      const [createdAt, id] = query.cursor ? cursors.read(query.cursor, filter) : [];
      const after = createdAt && id ? { createdAt: new Date(createdAt), id } : null;
      const rows = await listAuditRows(db, accountId, query.limit + 1, after);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.created_at.toISOString(), last.id], filter));
      const data = page.rows.map(({ created_at, ...entry }) => ({ ...entry, createdAt: created_at.toISOString() }));
      return { data, nextCursor: page.nextCursor };
    }),
  ];
}
