import { revokeApiKey } from "../accounts/api-keys/revoke-api-key.ts";
import { inTransaction } from "../platform/database/database.ts";
import { type Command, CommandFailure } from "./command.ts";
import { findAccountIdOfKey } from "./lookup-store.ts";

export const keysRevoke: Command = {
  name: "keys revoke",
  summary: "End an API key for good; it is dead everywhere within a second",
  words: ["KEY_ID"],
  options: {},
  async run(input, context) {
    const keyId = input.word("KEY_ID");
    const { db } = await context.openGround();
    const accountId = await findAccountIdOfKey(db, keyId);
    if (!accountId) {
      throw new CommandFailure(
        "There is no such key. Give its id (key_...), which `keys list` shows, and not the key itself.",
      );
    }
    const key = await inTransaction(db, (tx) =>
      revokeApiKey(tx, { accountId, keyId, actor: "operator", ip: null, client: null }),
    );
    return { json: key, text: `${key.id} was revoked at ${key.revokedAt}.` };
  },
};
