import type { Member } from "@parley/contract/accounts";
import { AppError } from "@parley/contract/errors";
import type { Role } from "@parley/contract/scopes";
import { inTransaction } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/actor.ts";
import type { AccountDeps } from "./account-deps.ts";
import { lockAccount } from "./account-store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { countOthers, findMember, setRole } from "./member-store.ts";
import type { Sender } from "./open-sign-in.ts";
import { toMember } from "./to-member.ts";

/** Makes a member an owner or an owner a member, from their next request on. An owner who can sign in always remains. */
export async function changeMember(
  deps: Pick<AccountDeps, "db">,
  owner: MemberActor,
  memberId: string,
  role: Role,
  sender: Sender,
): Promise<Member> {
  return inTransaction(deps.db, async (tx) => {
    // Two owners who make members of each other at the same moment take turns here, and the second is refused.
    await lockAccount(tx, owner.accountId);
    const member = await findMember(tx, memberId);
    if (member?.account_id !== owner.accountId) throw new AppError("not_found", "The account has no such member.");
    if (member.id === owner.memberId) throw new AppError("invalid_state", "You cannot change your own role.");
    if (member.role === role) return toMember(member);
    if (role !== "owner" && (await countOthers(tx, member)).owners === 0) {
      throw new AppError("invalid_state", "The last owner of an account stays its owner.");
    }
    const changed = await setRole(tx, member.id, role);
    await recordAudit(tx, {
      accountId: owner.accountId,
      actor: owner.memberId,
      action: "member.role_changed",
      target: member.id,
      ...sender,
      data: { email: member.email, from: member.role, to: role },
    });
    return toMember(changed);
  });
}
