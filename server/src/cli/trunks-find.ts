import type { TrunkRow } from "../phone/trunks/trunk-record.ts";
import { findTrunkNamed, readTrunkRow } from "../phone/trunks/trunk-store.ts";
import type { Database } from "../platform/database/database.ts";
import { CommandFailure } from "./command.ts";
import { printable } from "./format-table.ts";

/** The trunk that a person means by its name, in any capitals, or by its id. */
export async function findTrunk(db: Database, wanted: string): Promise<TrunkRow> {
  const found = (await readTrunkRow(db, wanted)) ?? (await findTrunkNamed(db, wanted));
  if (!found) throw new CommandFailure(`There is no trunk "${printable(wanted)}". \`trunks list\` shows them all.`);
  return found;
}

/** As the audit log names who works at the command line. */
export const BY_OPERATOR = { accountId: null, actor: "operator" } as const;
