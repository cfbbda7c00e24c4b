import { Email } from "@parley/contract/accounts";
import { findMemberByEmail, listMemberRows, type MemberRow, toMember } from "../accounts/member-store.ts";
import { createResetLink } from "../accounts/passwords.ts";
import { clearSecondFactor } from "../accounts/second-factor.ts";
import type { Database } from "../platform/database/database.ts";
import { findAccount, readPages } from "./account-lookup.ts";
import { type Command, CommandFailure, readField, reportAssumedAddress } from "./command.ts";
import { formatTable } from "./table.ts";

export const membersList: Command = {
  name: "members list",
  summary: "Show who belongs to an account",
  words: ["ACCOUNT"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
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

export const membersReset: Command = {
  name: "members reset",
  summary: "Print a link that sets a new password, to hand over",
  words: ["EMAIL"],
  options: {
    "second-factor": { help: "Also turn off the second factor, when device and recovery codes are lost" },
  },
  async run(input, context) {
    const email = readField(Email, "EMAIL", input.word("EMAIL"));
    const service = await context.openService();
    const resetUrl = await createResetLink(service, email);
    if (!resetUrl) throw await explainRefusal(service.db, email);
    const isCleared = input.has("second-factor") && (await clearSecondFactor(service, email));
    reportAssumedAddress(context, service.publicUrl());
    const notes = ["The link works once and is shown only now."];
    if (input.has("second-factor"))
      notes.push(isCleared ? "The second factor was turned off." : "There was no second factor to turn off.");
    return { json: { email, resetUrl, secondFactorCleared: isCleared }, text: resetUrl, notes };
  },
};

async function explainRefusal(db: Database, email: string): Promise<CommandFailure> {
  const member = await findMemberByEmail(db, email.toLowerCase());
  if (!member) return new CommandFailure(`No member has the e-mail ${email}.`);
  return new CommandFailure(
    `${email} was invited to ${member.account_id} and has not joined, so there is no password to reset. ` +
      "To invite them again, an owner removes the invitation first.",
  );
}
