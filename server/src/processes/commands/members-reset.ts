import { Email } from "@parley/contract/accounts";
import { createResetLink } from "../../accounts/reset-password.ts";
import { type Command, CommandFailure } from "./command.ts";
import { readField } from "./read-field.ts";

export const membersReset: Command = {
  name: "members reset",
  summary: "Print a link that sets a new password, to hand over",
  words: ["EMAIL"],
  options: {},
  async run(input, context) {
    const email = readField(Email, "EMAIL", input.word("EMAIL"));
    const resetUrl = await createResetLink(await context.openGround(), email);
    if (!resetUrl) throw new CommandFailure(`Nobody has the e-mail ${email}.`);
    return { json: { email, resetUrl }, text: resetUrl, notes: ["The link works once and is shown only now."] };
  },
};
