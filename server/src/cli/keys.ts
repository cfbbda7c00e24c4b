import { type ApiKey, NewApiKey } from "@parley/contract/api-keys";
import { SCOPES } from "@parley/contract/scopes";
import { type ApiKeyRow, listApiKeyRows } from "../accounts/api-keys/api-key-store.ts";
import { createApiKey, revokeApiKey, toApiKey } from "../accounts/api-keys/api-keys.ts";
import { inTransaction } from "../platform/database/database.ts";
import { findAccount, readPages } from "./account-lookup.ts";
import { findAccountIdOfKey } from "./account-lookup-store.ts";
import { type Command, CommandFailure, UsageError } from "./command.ts";
import { formatTable } from "./table.ts";

export const keysList: Command = {
  name: "keys list",
  summary: "Show the API keys of an account, revoked ones too",
  words: ["ACCOUNT"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
    const { id } = await findAccount(db, input.word("ACCOUNT"));
    const rows = await readPages<ApiKeyRow>((rowsMax, last) =>
      listApiKeyRows(db, id, rowsMax, last && { createdAt: last.created_at, id: last.id }),
    );
    const keys = rows.map(toApiKey);
    const table = keys.map((key) => [
      key.id,
      key.name,
      `${key.prefix}...${key.lastFour}`,
      key.scopes.length === SCOPES.length ? "all" : key.scopes.join(","),
      standingOf(key),
      key.lastUsedAt ?? "never",
    ]);
    return { json: keys, text: formatTable(["id", "name", "key", "scopes", "standing", "last used"], table) };
  },
};

function standingOf(key: ApiKey): string {
  if (key.revokedAt) return `revoked ${key.revokedAt}`;
  if (!key.expiresAt) return "active";
  return Date.parse(key.expiresAt) <= Date.now() ? `expired ${key.expiresAt}` : `until ${key.expiresAt}`;
}

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
    const parsed = NewApiKey.safeParse({
      name: input.option("name"),
      mode: input.option("mode"),
      scopes: input.option("scopes")?.split(","),
      expiresAt: input.option("expires"),
    });
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const field = String(issue?.path[0]);
      throw new UsageError(`--${field === "expiresAt" ? "expires" : field}: ${issue?.message}.`);
    }
    const { db, secrets } = await context.openService();
    const account = await findAccount(db, input.word("ACCOUNT"));
    const { name, mode, scopes, expiresAt } = parsed.data;
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

export const keysRevoke: Command = {
  name: "keys revoke",
  summary: "End an API key for good; it is dead everywhere within a second",
  words: ["KEY_ID"],
  options: {},
  async run(input, context) {
    const keyId = input.word("KEY_ID");
    const { db } = await context.openService();
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
