import { listMemberRows, type MemberRow } from "../accounts/member-store.ts";
import { toMember } from "../accounts/to-member.ts";
import type { Command } from "./command.ts";
import { findAccount } from "./find-account.ts";
import { formatTable } from "./format-table.ts";
import { readPages } from "./read-pages.ts";

export const membersList: Command = {
  name: "members list",
  summary: "Show who belongs to an account",
  words: ["ACCOUNT"],
  options: {},
  async run(input, context) {
    const { db } = await context.openGround();
    const { id } = await findAccount(db, input.word("ACCOUNT"));
    const rows = await readPages<MemberRow>((rowsMax, last) =>
      listMemberRows(db, id, rowsMax, last && { createdAt: last.created_at, id: last.id }),
    );
    const members = rows.map(toMember);
    const table = members.map((member) => [
      member.id,
      member.email ?? "-",
      member.isOperator ? `${member.role}, operator` : member.role,
      member.status,
      member.createdAt,
    ]);
    return { json: members, text: formatTable(["id", "e-mail", "role", "status", "created"], table) };
  },
};
