import { type OperatorAccountRow, readAccountRow } from "../accounts/operator-store.ts";
import type { Database } from "../platform/database/database.ts";
import { findAccountIdsNamed } from "./account-lookup-store.ts";
import { CommandFailure } from "./command.ts";
import { printable } from "./table.ts";

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

const PAGE_ROWS = 500;

/** Reads a list to its end, page by page. */
export async function readPages<Row>(
  readPage: (rowsMax: number, last: Row | null) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const page = await readPage(PAGE_ROWS, all.at(-1) ?? null);
    all.push(...page);
    if (page.length < PAGE_ROWS) return all;
  }
}
