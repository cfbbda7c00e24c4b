import { AppError, invalidField } from "@parley/contract/errors";
import { inTransaction } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/authenticate.ts";
import type { AccountDeps } from "./account-deps.ts";
import { recordAudit } from "./audit/record-audit.ts";
import {
  countAttempt,
  forgetAttempts,
  forgiveAttempt,
  passwordChangeLimit,
  resetRequestLimits,
  signInLimits,
} from "./credentials/limit-attempts.ts";
import { endLinksOf, useLink } from "./credentials/link-store.ts";
import { createResetLinkFor, linkGone, openLink } from "./credentials/links.ts";
import { refuseGuessablePassword } from "./credentials/password-judge.ts";
import { openSignIn, type Sender, type SignInSender } from "./credentials/sessions.ts";
import { deleteSignInsOf } from "./credentials/sign-in-store.ts";
import { findMember, lockMember, replacePassword, setPassword } from "./member-store.ts";
import { resetMail } from "./members.ts";
import { readMe } from "./read-me.ts";

/** Changes the password of the signed-in member, who must know the current one. Every sign-in ends; this browser gets a fresh token. */
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
  return invalidField("currentPassword", "wrong_password", "This is not the current password.");
}

/** Mails a link to the member with this e-mail, if there is one. The reply is the same either way. */
export async function requestReset(deps: AccountDeps, email: string, sender: Sender): Promise<void> {
  await countAttempt(deps.db, resetRequestLimits(deps.secrets, email, sender.ip));
  const { mailer } = deps;
  if (!mailer) return;
  const link = await inTransaction(deps.db, async (tx) => {
    const made = await createResetLinkFor(tx, deps, email);
    await recordAudit(tx, {
      accountId: made?.accountId ?? null,
      actor: "service",
      action: "password.reset_requested",
      target: made?.memberId ?? null,
      ...sender,
    });
    return made;
  });
  if (link) mailer.send(resetMail(email, link.url));
}

/** Sets a new password by a link. Every sign-in ends, and so does every other link. */
export async function resetPassword(
  deps: AccountDeps,
  given: { readonly token: string; readonly password: string },
  sender: Sender,
): Promise<void> {
  const link = await openLink(deps, given.token, ["reset"], sender.ip);
  const owner = { email: link.email, accountName: link.account_name };
  await refuseGuessablePassword(deps.judge, "password", given.password, owner);
  const passwordHash = await deps.hasher.hash(given.password);
  await inTransaction(deps.db, async (tx) => {
    await lockMember(tx, link.member_id);
    if (!(await useLink(tx, link.token_digest))) throw linkGone();
    await setPassword(tx, link.member_id, passwordHash);
    await endLinksOf(tx, link.member_id);
    await deleteSignInsOf(tx, link.member_id);
    if (link.email) {
      // A member locked out by wrong guesses can sign in immediately with the new password.
      const limits = signInLimits(deps.secrets, link.email, sender.ip);
      await forgetAttempts(tx, [limits.emailAndAddress, limits.email]);
    }
    await recordAudit(tx, {
      accountId: link.account_id,
      actor: link.member_id,
      action: "password.reset",
      target: link.member_id,
      ...sender,
    });
  });
}

/** For the operator's command line: a link to hand over, or null when no member with this e-mail has joined. */
export async function createResetLink(
  deps: Pick<AccountDeps, "db" | "secrets" | "publicUrl">,
  email: string,
): Promise<string | null> {
  return inTransaction(deps.db, async (tx) => {
    const link = await createResetLinkFor(tx, deps, email.toLowerCase());
    if (!link) return null;
    await recordAudit(tx, {
      accountId: link.accountId,
      actor: "operator",
      action: "password.reset_requested",
      target: link.memberId,
    });
    return link.url;
  });
}
