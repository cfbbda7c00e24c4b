import { AppError } from "@parley/contract/errors";
import { recordAudit } from "../audit/record-audit.ts";
import { inTransaction } from "../database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { signInLimits } from "./attempt-limits.ts";
import { countAttempt, forgiveAttempt } from "./limit-attempts.ts";
import { findMemberByEmail, holdMemberWithPassword } from "./member-store.ts";
import { openSignIn, type SignInSender } from "./open-sign-in.ts";
import { readMe } from "./read-me.ts";
import type { SignedIn } from "./sign-up.ts";

/** Signs a member in. Whoever guesses learns neither from the answer nor from the time whether the e-mail is known. */
export async function signIn(
  deps: AccountDeps,
  given: { readonly email: string; readonly password: string },
  sender: SignInSender,
): Promise<SignedIn> {
  const email = given.email.toLowerCase();
  const { emailAndAddress, email: byEmail, address } = signInLimits(deps.secrets, email, sender.ip);
  const limits = [emailAndAddress, byEmail, address];
  const attempt = await countAttempt(deps.db, limits);
  const member = await findMemberByEmail(deps.db, email);
  const stored = member?.password_hash ?? null;
  const isRight = await deps.hasher.verify(given.password, stored).catch(async (error: unknown) => {
    // A password that was never looked at is no failed attempt.
    await inTransaction(deps.db, (tx) => forgiveAttempt(tx, attempt, limits, []));
    throw error;
  });
  const signedIn =
    member && stored && isRight
      ? await inTransaction(deps.db, async (tx) => {
          if (!(await holdMemberWithPassword(tx, member.id, stored))) return null;
          await forgiveAttempt(tx, attempt, limits, [emailAndAddress]);
          const { signInId, token } = await openSignIn(tx, deps.secrets, member.id, sender);
          await recordAudit(tx, {
            accountId: member.account_id,
            actor: member.id,
            action: "sign_in.succeeded",
            target: member.id,
            ...sender,
          });
          return { me: await readMe(tx, signInId), token };
        })
      : null;
  if (signedIn) return signedIn;
  await recordAudit(deps.db, {
    accountId: member?.account_id ?? null,
    actor: "service",
    action: "sign_in.failed",
    target: member?.id ?? null,
    ...sender,
  });
  throw new AppError("not_signed_in", "The e-mail or the password is wrong.");
}
