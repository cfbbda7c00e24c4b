import { type OperatorAccountRow, readAccountRow } from "../accounts/operator-store.ts";
import type { Database } from "../platform/database/database.ts";
import { CommandFailure } from "./command.ts";
import { printable } from "./format-table.ts";
import { findAccountIdsNamed } from "./lookup-store.ts";

/** The account that a person means by its id, or by its name where only one has it. */
export async function findAccount(db: Database, wanted: string): Promise<OperatorAccountRow> {
  const byId = await readAccountRow(db, wanted);
  if (byId) return byId;
  const [first, ...others] = await findAccountIdsNamed(db, wanted);
  if (first && others.length > 0) {
    throw new CommandFailure(
      `Several accounts are named "${printable(wanted)}": ${[first, ...others].join(", ")}. Name one by its id.`,
    );
  }
  const named = first ? await readAccountRow(db, first) : null;
  if (!named) throw new CommandFailure(`There is no account "${printable(wanted)}". \`accounts list\` shows them all.`);
  return named;
}
