import type { Member } from "@parley/contract/accounts";
import type { MemberRow } from "./member-store.ts";

/** A member as the API shows them. Without a password they have been invited and have not come yet. */
export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    isOperator: row.is_operator,
    status: row.password_hash === null ? "invited" : "active",
    createdAt: row.created_at.toISOString(),
  };
}
