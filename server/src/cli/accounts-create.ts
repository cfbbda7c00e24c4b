import { Email } from "@parley/contract/accounts";
import { Name } from "@parley/contract/shared-fields";
import { createAccount } from "../accounts/create-account.ts";
import { CLAIM_LASTS_HOURS, createLink } from "../accounts/create-link.ts";
import { EMAIL_TAKEN } from "../accounts/member-store.ts";
import { inTransaction } from "../platform/database/database.ts";
import { violatedConstraint } from "../platform/database/failures.ts";
import { addSamples } from "../start/add-samples.ts";
import { type Command, CommandFailure } from "./command.ts";
import { printable } from "./format-table.ts";
import { readField } from "./read-field.ts";
import { reportAssumedAddress } from "./report-assumed-address.ts";

export const accountsCreate: Command = {
  name: "accounts create",
  summary: "Make an account and print a link to claim it",
  words: [],
  options: {
    name: { value: "NAME", help: "What the account is called", isRequired: true },
    email: { value: "EMAIL", help: "Who will own it; otherwise whoever opens the link says so" },
  },
  async run(input, context) {
    const name = readField(Name, "--name", input.option("name"));
    const email = readField(Email.optional(), "--email", input.option("email")) ?? null;
    const { db, secrets, publicUrl } = await context.openGround();
    try {
      const made = await inTransaction(db, async (tx) => {
        const { accountId, memberId } = await createAccount(
          tx,
          { addSampleAgents: async (...of) => void (await addSamples(...of)) },
          { name, email, passwordHash: null, isOperator: false, actor: "operator" },
        );
        const claimUrl = await createLink(tx, { secrets, publicUrl }, memberId, "claim", CLAIM_LASTS_HOURS);
        return { id: accountId, claimUrl };
      });
      reportAssumedAddress(context, publicUrl());
      return {
        json: { id: made.id, name, email, claimUrl: made.claimUrl },
        text: made.claimUrl,
        notes: [
          `Account ${made.id}, ${printable(name)}. The link claims it once, within ${CLAIM_LASTS_HOURS / 24} days, and is shown only now.`,
        ],
      };
    } catch (error) {
      if (violatedConstraint(error) !== EMAIL_TAKEN) throw error;
      throw new CommandFailure(`${email} already belongs to a member.`, { cause: error });
    }
  },
};
