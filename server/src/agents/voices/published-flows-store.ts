import type { Flow } from "@parley/contract/flow";
import type { Pronunciation } from "@parley/contract/pronunciations";
import { type Database, run } from "../../platform/database/database.ts";

export interface PublishedFlowRow {
  readonly id: string;
  readonly flow: Flow;
  readonly language: string;
  /** The account's words for what the flow may leave open. */
  readonly disclosure: string | null;
  readonly pronunciations: readonly Pronunciation[];
  readonly created_at: Date;
}

/** Versions in use by calls that were created after the given one, oldest first. A Date has no microseconds. */
export async function listPublishedFlows(
  db: Database,
  after: { readonly createdAt: Date; readonly id: string },
  rowsMax: number,
): Promise<readonly PublishedFlowRow[]> {
  return run<PublishedFlowRow>(
    db,
    `/* list_published_flows */ select v.id, coalesce(v.expanded_flow, v.flow) as flow, v.language, c.disclosure, c.pronunciations, v.created_at
     from agents a
     join accounts c on c.id = a.account_id
     join agent_versions v on v.agent_id = a.id and v.version = a.published_version
     where a.deleted_at is null and (date_trunc('milliseconds', v.created_at), v.id) > ($1::timestamptz, $2)
     order by date_trunc('milliseconds', v.created_at), v.id
     limit $3`,
    [after.createdAt, after.id, rowsMax],
  );
}
