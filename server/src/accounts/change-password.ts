import { AppError, invalidField } from "@parley/contract/errors";
import { inTransaction } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/actor.ts";
import type { AccountDeps } from "./account-deps.ts";
import { passwordChangeLimit } from "./attempt-limits.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { countAttempt, forgiveAttempt } from "./limit-attempts.ts";
import { endLinksOf } from "./link-store.ts";
import { findMember, replacePassword } from "./member-store.ts";
import { openSignIn, type SignInSender } from "./open-sign-in.ts";
import { refuseGuessablePassword } from "./password-judge.ts";
import { readMe } from "./read-me.ts";
import { deleteSignInsOf } from "./sign-in-store.ts";

/** Changes the password of whoever is signed in and knows it. Every sign-in ends; this browser gets a fresh token. */
export async function changePassword(
  deps: AccountDeps,
  member: MemberActor,
  given: { readonly currentPassword: string; readonly newPassword: string },
  sender: SignInSender,
): Promise<string> {
  const limit = passwordChangeLimit(member.memberId);
  const attempt = await countAttempt(deps.db, [limit]);
  const stored = (await findMember(deps.db, member.memberId))?.password_hash ?? null;
  if (!stored) throw new AppError("not_signed_in", "Sign in to do this.");
  const note = { accountId: member.accountId, actor: member.memberId, target: member.memberId, ...sender };
  if (!(await deps.hasher.verify(given.currentPassword, stored))) {
    await recordAudit(deps.db, { ...note, action: "password.change_failed" });
    throw wrongPassword();
  }
  await inTransaction(deps.db, (tx) => forgiveAttempt(tx, attempt, [limit], [limit]));
  const { account } = await readMe(deps.db, deps, member.signInId);
  const owner = { email: member.email, accountName: account.name };
  await refuseGuessablePassword(deps.judge, "newPassword", given.newPassword, owner);
  const next = await deps.hasher.hash(given.newPassword);
  return inTransaction(deps.db, async (tx) => {
    if (!(await replacePassword(tx, member.memberId, stored, next))) throw wrongPassword();
    await deleteSignInsOf(tx, member.memberId);
    await endLinksOf(tx, member.memberId);
    await recordAudit(tx, { ...note, action: "password.changed" });
    return (await openSignIn(tx, deps.secrets, member.memberId, sender)).token;
  });
}

function wrongPassword(): AppError {
  return invalidField("currentPassword", "wrong_password", "currentPassword is wrong.");
}
