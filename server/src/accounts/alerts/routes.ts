import * as routes from "@parley/contract/routes/alerts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { auditRequest } from "../audit/record-audit.ts";
import { changeAlertRules, readAlertRules } from "./alert-rules.ts";
import { listAlertRows, toAlert } from "./alert-store.ts";

interface AlertRouteDeps {
  readonly db: Database;
  readonly cursors: Cursors;
}

/** Alerts of an account, and the rules that raise them. */
export function alertRoutes({ db, cursors }: AlertRouteDeps): BoundRoute[] {
  return [
    handle(routes.listAlerts, async ({ accountId, mode, query }) => {
      const filter = ["alerts", accountId, mode];
      const [afterId = null] = query.cursor ? cursors.read(query.cursor, filter) : [];
      const rows = await listAlertRows(db, accountId, mode, afterId, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.id], filter));
      return { data: page.rows.map(toAlert), nextCursor: page.nextCursor };
    }),
    handle(routes.getAlertRules, async ({ accountId, mode }) => ({ data: await readAlertRules(db, accountId, mode) })),
    handle(routes.changeAlertRules, (request) =>
      inTransaction(db, async (tx) => {
        const { accountId, mode, body } = request;
        const { before, after } = await changeAlertRules(tx, accountId, mode, body);
        const names = Object.keys(body) as (keyof typeof body)[];
        const changes = names.map((name) => [name, { from: before[name], to: after[name] }]);
        await auditRequest(tx, request, "alert_rules.changed", accountId, Object.fromEntries(changes));
        return { data: after };
      }),
    ),
  ];
}
