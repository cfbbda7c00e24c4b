import { AppError } from "@parley/contract/errors";
import { parseUsd } from "@parley/contract/money";
import * as routes from "@parley/contract/routes/members";
import { grantableScopes, type Role, type Scope } from "@parley/contract/scopes";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { listApiKeyRows, readApiKeyRow } from "./api-key-store.ts";
import { createApiKey, revokeApiKey, toApiKey } from "./api-keys.ts";

export interface ApiKeyDeps {
  readonly db: Database;
  readonly secrets: Pick<Secrets, "digest">;
  readonly cursors: Cursors;
  readonly nowMs: () => number;
}

/** A key may never do what its creator may not. */
export function scopesFor(role: Role, wanted: readonly Scope[] | undefined): readonly Scope[] {
  const grantable = grantableScopes(role);
  const beyond = wanted?.filter((scope) => !grantable.includes(scope)) ?? [];
  if (beyond.length > 0)
    throw new AppError("not_allowed", `Only an owner of the account may give a key the scope ${beyond.join(", ")}.`);
  return wanted ?? grantable;
}

/** List, create and revoke keys: by cookie only, because a key can never make a key. */
export function apiKeyRoutes(deps: ApiKeyDeps): BoundRoute[] {
  return [
    handle(routes.listApiKeys, async ({ accountId, query }) => {
      const filter = ["api-keys", accountId];
      const [createdAt, id] = query.cursor ? deps.cursors.read(query.cursor, filter) : [];
      const after = createdAt && id ? { createdAt: new Date(createdAt), id } : null;
      const rows = await listApiKeyRows(deps.db, accountId, query.limit + 1, after);
      const page = toPage(rows, query.limit, (last) =>
        deps.cursors.write([last.created_at.toISOString(), last.id], filter),
      );
      return { data: page.rows.map(toApiKey), nextCursor: page.nextCursor };
    }),

    handle(routes.createApiKey, ({ accountId, member, body, ip, client }) =>
      inTransaction(deps.db, async (tx) => {
        const { id, key } = await createApiKey(
          tx,
          deps.secrets,
          {
            accountId,
            name: body.name,
            mode: body.mode,
            scopes: scopesFor(member.role, body.scopes),
            expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
            allowedIps: body.allowedIps,
            dailySpendCapMicros: body.dailySpendCap ? parseUsd(body.dailySpendCap) : null,
            createdBy: member.memberId,
            actor: member.memberId,
            ip,
            client,
          },
          deps.nowMs(),
        );
        const row = await readApiKeyRow(tx, accountId, id);
        if (!row) throw new Error("the key that was just made is not there");
        return { data: { ...toApiKey(row), key } };
      }),
    ),

    handle(routes.revokeApiKey, async ({ accountId, member, params, ip, client }) => ({
      data: await inTransaction(deps.db, (tx) =>
        revokeApiKey(tx, { accountId, keyId: params.id, actor: member.memberId, ip, client }),
      ),
    })),
  ];
}
