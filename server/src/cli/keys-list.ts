import type { ApiKey } from "@parley/contract/api-keys";
import { SCOPES } from "@parley/contract/scopes";
import { type ApiKeyRow, listApiKeyRows } from "../accounts/api-keys/api-key-store.ts";
import { toApiKey } from "../accounts/api-keys/to-api-key.ts";
import type { Command } from "./command.ts";
import { findAccount } from "./find-account.ts";
import { formatTable } from "./format-table.ts";
import { readPages } from "./read-pages.ts";

export const keysList: Command = {
  name: "keys list",
  summary: "Show the API keys of an account, revoked ones too",
  words: ["ACCOUNT"],
  options: {},
  async run(input, context) {
    const { db } = await context.openGround();
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
