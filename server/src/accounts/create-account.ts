import { makeId } from "@parley/contract/ids";
import type { Tx } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { insertAccount } from "./account-store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { openCredit } from "./credits/open-credit.ts";
import { insertMember } from "./member-store.ts";

export interface AccountWish {
  readonly name: string;
  /** Null only for the first owner, who names it when claiming the account. */
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly isOperator: boolean;
  /** As the audit log names who did it; the new owner unless someone else is named. */
  readonly actor?: string;
  readonly ip?: string | null;
  readonly client?: string | null;
}

/** Makes an account with everything a new one has: its owner, its lanes, its credit, its sample agents. */
export async function createAccount(
  tx: Tx,
  deps: Pick<AccountDeps, "addSampleAgents">,
  wish: AccountWish,
): Promise<{ accountId: string; memberId: string }> {
  const accountId = makeId("account");
  const memberId = makeId("member");
  await insertAccount(tx, { id: accountId, name: wish.name });
  await insertMember(tx, {
    id: memberId,
    accountId,
    email: wish.email,
    passwordHash: wish.passwordHash,
    role: "owner",
    isOperator: wish.isOperator,
  });
  await openCredit(tx, accountId);
  await deps.addSampleAgents(tx, accountId);
  await recordAudit(tx, {
    accountId,
    actor: wish.actor ?? memberId,
    action: "account.created",
    target: accountId,
    ip: wish.ip ?? null,
    client: wish.client ?? null,
    data: { name: wish.name },
  });
  return { accountId, memberId };
}
