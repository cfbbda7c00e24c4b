import { AppError } from "@parley/contract/errors";
import { inTransaction } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/actor.ts";
import type { AccountDeps } from "./account-deps.ts";
import { lockAccount } from "./account-store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { countOthers, deleteMember, findMember } from "./member-store.ts";
import type { Sender } from "./open-sign-in.ts";

/** Removes a member or an invitation. Somebody who can run the account, and the installation, always remains. */
export async function removeMember(
  deps: Pick<AccountDeps, "db">,
  owner: MemberActor,
  memberId: string,
  sender: Sender,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    // Two owners who remove each other at the same moment take turns here, and the second is refused.
    await lockAccount(tx, owner.accountId);
    const member = await findMember(tx, memberId);
    if (member?.account_id !== owner.accountId) throw new AppError("not_found", "The account has no such member.");
    if (member.id === owner.memberId) throw new AppError("invalid_state", "You cannot remove yourself.");
    const others = await countOthers(tx, member);
    if (member.role === "owner" && others.owners === 0) {
      throw new AppError("invalid_state", "The last owner of an account cannot be removed.");
    }
    if (member.is_operator && others.operators === 0) {
      throw new AppError("invalid_state", "The last operator of the installation cannot be removed.");
    }
    await deleteMember(tx, member.id);
    await recordAudit(tx, {
      accountId: owner.accountId,
      actor: owner.memberId,
      action: "member.removed",
      target: member.id,
      ...sender,
      data: { email: member.email, role: member.role },
    });
  });
}
