import { Email } from "@parley/contract/accounts";
import { findMemberByEmail } from "../../accounts/member-store.ts";
import { createResetLink } from "../../accounts/reset-password.ts";
import type { Database } from "../../database/database.ts";
import { type Command, CommandFailure } from "./command.ts";
import { readField } from "./read-field.ts";
import { reportAssumedAddress } from "./report-assumed-address.ts";

export const membersReset: Command = {
  name: "members reset",
  summary: "Print a link that sets a new password, to hand over",
  words: ["EMAIL"],
  options: {},
  async run(input, context) {
    const email = readField(Email, "EMAIL", input.word("EMAIL"));
    const ground = await context.openGround();
    const resetUrl = await createResetLink(ground, email);
    if (!resetUrl) throw await explainRefusal(ground.db, email);
    reportAssumedAddress(context, ground.publicUrl());
    return { json: { email, resetUrl }, text: resetUrl, notes: ["The link works once and is shown only now."] };
  },
};

async function explainRefusal(db: Database, email: string): Promise<CommandFailure> {
  const member = await findMemberByEmail(db, email.toLowerCase());
  if (!member) return new CommandFailure(`Nobody has the e-mail ${email}.`);
  return new CommandFailure(
    `${email} was invited to ${member.account_id} and has not joined, so there is no password to reset. ` +
      "To invite them again, an owner removes the invitation first.",
  );
}
