import type { CallView } from "@parley/contract/calls";
import { type Database, run, type Tx } from "../../platform/database/database.ts";

export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly query: CallView["query"];
  readonly created_at: Date;
}

export function listViewRows(db: Database, accountId: string): Promise<ViewRow[]> {
  return run<ViewRow>(
    db,
    "/* list_call_views */ select id, name, query, created_at from call_views where account_id = $1 order by lower(name), id",
    [accountId],
  );
}

/** Saves a view, replacing one of the same name. Null when the account has as many as it may have. */
export async function saveView(
  tx: Tx,
  accountId: string,
  view: Pick<ViewRow, "id" | "name" | "query">,
  viewsMax: number,
): Promise<ViewRow | null> {
  const [row] = await run<ViewRow>(
    tx,
    `/* save_call_view */ insert into call_views (id, account_id, name, query)
     select $1, $2, $3, $4
     where (select count(*) from call_views where account_id = $2 and name <> $3) < $5
     on conflict (account_id, name) do update set query = excluded.query
     returning id, name, query, created_at`,
    [view.id, accountId, view.name, JSON.stringify(view.query), viewsMax],
  );
  return row ?? null;
}

export async function deleteView(db: Database, accountId: string, id: string): Promise<boolean> {
  const rows = await run(
    db,
    "/* delete_call_view */ delete from call_views where id = $1 and account_id = $2 returning id",
    [id, accountId],
  );
  return rows.length > 0;
}
