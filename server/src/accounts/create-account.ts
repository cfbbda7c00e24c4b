import { makeId } from "@parley/contract/ids";
import { inTransaction, type Tx } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { hasAnyAccount, insertAccount, lockFirstAccount } from "./account-store.ts";
import { createApiKey } from "./api-keys/api-keys.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { createLink } from "./credentials/links.ts";
import { openCredit } from "./credits/change-credit.ts";
import { findUnclaimedOwner, insertMember, lockMember } from "./member-store.ts";

export interface AccountInput {
  readonly name: string;
  /** Null only for the first owner, who names it when claiming the account. */
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly isOperator: boolean;
  /** The actor, as named in the audit log; by default the new owner. */
  readonly actor?: string;
  readonly ip?: string | null;
  readonly client?: string | null;
}

/** Creates an account with everything a new one has: its owner, its lanes, its credit, its sample agents. */
export async function createAccount(
  tx: Tx,
  deps: Pick<AccountDeps, "addSampleAgents">,
  input: AccountInput,
): Promise<{ accountId: string; memberId: string }> {
  const accountId = makeId("account");
  const memberId = makeId("member");
  await insertAccount(tx, { id: accountId, name: input.name });
  await insertMember(tx, {
    id: memberId,
    accountId,
    email: input.email,
    passwordHash: input.passwordHash,
    role: "owner",
    isOperator: input.isOperator,
  });
  await openCredit(tx, accountId);
  await deps.addSampleAgents(tx, accountId);
  await recordAudit(tx, {
    accountId,
    actor: input.actor ?? memberId,
    action: "account.created",
    target: accountId,
    ip: input.ip ?? null,
    client: input.client ?? null,
    data: { name: input.name },
  });
  return { accountId, memberId };
}

export type FirstAccountDeps = Pick<AccountDeps, "db" | "secrets" | "publicUrl" | "nowMs" | "addSampleAgents">;

/** What is shown once, at the first start. */
export interface FirstAccount {
  readonly claimUrl: string;
  readonly apiKey: string;
}

/** Creates the first account on an empty database. Of processes that start together exactly one does it. */
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
      { accountId, name: "First key", mode: "test", createdBy: null, actor: "service", ip: null, client: null },
      deps.nowMs(),
    );
    return { claimUrl: await createLink(tx, deps, memberId, "claim"), apiKey: key };
  });
}

/**
 * Another claim link while the first account is unclaimed, in case the previous one was lost. Previous ones stay
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
