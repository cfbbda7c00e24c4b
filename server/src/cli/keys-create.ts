import { NewApiKey } from "@parley/contract/api-keys";
import { createApiKey } from "../accounts/api-keys/create-api-key.ts";
import { inTransaction } from "../platform/database/database.ts";
import { type Command, UsageError } from "./command.ts";
import { findAccount } from "./find-account.ts";

export const keysCreate: Command = {
  name: "keys create",
  summary: "Make an API key and print it, this once",
  words: ["ACCOUNT"],
  options: {
    name: { value: "NAME", help: "What it is for", isRequired: true },
    mode: { value: "test|live", help: "Whether its calls are simulated and free, or real", isRequired: true },
    scopes: { value: "A,B", help: "What it may do, such as calls:write,calls:read; everything if left out" },
    expires: { value: "TIME", help: "When it ends, such as 2030-01-31T00:00:00Z; never if left out" },
  },
  async run(input, context) {
    const wish = NewApiKey.safeParse({
      name: input.option("name"),
      mode: input.option("mode"),
      scopes: input.option("scopes")?.split(","),
      expiresAt: input.option("expires"),
    });
    if (!wish.success) {
      const issue = wish.error.issues[0];
      const field = String(issue?.path[0]);
      throw new UsageError(`--${field === "expiresAt" ? "expires" : field}: ${issue?.message}.`);
    }
    const { db, secrets } = await context.openGround();
    const account = await findAccount(db, input.word("ACCOUNT"));
    const { name, mode, scopes, expiresAt } = wish.data;
    const made = await inTransaction(db, (tx) =>
      createApiKey(
        tx,
        secrets,
        {
          accountId: account.id,
          name,
          mode,
          scopes,
          expiresAt: expiresAt ? new Date(expiresAt) : null,
          createdBy: null,
          actor: "operator",
          ip: null,
          client: null,
        },
        Date.now(),
      ),
    );
    return {
      json: { id: made.id, accountId: account.id, name, mode, key: made.key },
      text: made.key,
      notes: [`Key ${made.id} of account ${account.id}. Keep it now: it is not shown again.`],
    };
  },
};
