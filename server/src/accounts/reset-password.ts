import { inTransaction } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { resetRequestLimits, signInLimits } from "./attempt-limits.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { createResetLinkFor } from "./create-link.ts";
import { countAttempt, forgetAttempts } from "./limit-attempts.ts";
import { endLinksOf, useLink } from "./link-store.ts";
import { resetMail } from "./mails.ts";
import { lockMember, setPassword } from "./member-store.ts";
import { linkGone, openLink } from "./open-link.ts";
import type { Sender } from "./open-sign-in.ts";
import { refuseGuessablePassword } from "./password-judge.ts";
import { deleteSignInsOf } from "./sign-in-store.ts";

/** Mails a link to whoever has this e-mail, if anyone does. The asker learns nothing either way. */
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
      // Whoever was locked out by wrong guesses can go on at once with the new password.
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

/** For the operator's command line: a link to hand over, or null when nobody with this e-mail has joined. */
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
