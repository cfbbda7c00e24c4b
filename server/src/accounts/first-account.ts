import { inTransaction } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { hasAnyAccount, lockFirstAccount } from "./account-store.ts";
import { createApiKey } from "./api-keys/create-api-key.ts";
import { createAccount } from "./create-account.ts";
import { createLink } from "./create-link.ts";
import { findUnclaimedOwner, lockMember } from "./member-store.ts";

export type FirstAccountDeps = Pick<AccountDeps, "db" | "secrets" | "publicUrl" | "nowMs" | "addSampleAgents">;

/** What is shown once, at the first start. */
export interface FirstAccount {
  readonly claimUrl: string;
  readonly apiKey: string;
}

/** On an empty database, makes an account to begin with. Of processes that start together exactly one does it. */
export async function ensureFirstAccount(deps: FirstAccountDeps): Promise<FirstAccount | null> {
  if (await hasAnyAccount(deps.db)) return null;
  return inTransaction(deps.db, async (tx) => {
    await lockFirstAccount(tx);
    if (await hasAnyAccount(tx)) return null;
    const { accountId, memberId } = await createAccount(tx, deps, {
      name: "First account",
      email: null,
      passwordHash: null,
      isOperator: true,
      actor: "service",
    });
    const { key } = await createApiKey(
      tx,
      deps.secrets,
      { accountId, name: "First key", mode: "test", createdBy: memberId, actor: "service", ip: null, client: null },
      deps.nowMs(),
    );
    return { claimUrl: await createLink(tx, deps, memberId, "claim"), apiKey: key };
  });
}

/**
 * A further claim link while nobody has claimed the first account, for whoever lost the one before. Those before stay
 * good, because several processes may each have shown one; the claim ends them all.
 */
export async function addClaimLink(deps: Pick<AccountDeps, "db" | "secrets" | "publicUrl">): Promise<string | null> {
  return inTransaction(deps.db, async (tx) => {
    await lockFirstAccount(tx);
    const owner = await findUnclaimedOwner(tx);
    if (!owner) return null;
    await lockMember(tx, owner.id);
    return createLink(tx, deps, owner.id, "claim");
  });
}
