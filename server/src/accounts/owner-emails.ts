import type { Database } from "../platform/database/database.ts";
import { listMemberRows } from "./member-store.ts";

// Notices are for people; an account with more members than this has somebody who reads them.
const MEMBERS_READ_MAX = 1000;

/** Where the owners of an account who have joined read their mail. */
export async function findOwnerEmails(db: Database, accountId: string): Promise<string[]> {
  const members = await listMemberRows(db, accountId, MEMBERS_READ_MAX, null);
  return members.flatMap(({ email, role, password_hash }) =>
    role === "owner" && email !== null && password_hash !== null ? [email] : [],
  );
}
