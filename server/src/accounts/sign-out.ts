import { inTransaction } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/actor.ts";
import type { AccountDeps } from "./account-deps.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { Sender } from "./open-sign-in.ts";
import { deleteSignIn, deleteSignInsOf } from "./sign-in-store.ts";

/** Ends the sign-in of this browser, or every one of the member. */
export async function signOut(
  deps: Pick<AccountDeps, "db">,
  member: MemberActor,
  isEverywhere: boolean,
  sender: Sender,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (isEverywhere) await deleteSignInsOf(tx, member.memberId);
    else await deleteSignIn(tx, member.signInId);
    await recordAudit(tx, {
      accountId: member.accountId,
      actor: member.memberId,
      action: "sign_in.ended",
      target: member.memberId,
      data: { everywhere: isEverywhere },
      ...sender,
    });
  });
}
