import type { SecondFactorChallenge } from "@parley/contract/accounts";
import { AppError } from "@parley/contract/errors";
import { inTransaction } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { addressLimit, countAttempt, forgiveAttempt, signInLimits } from "./credentials/limit-attempts.ts";
import { looksLikeToken, makeToken } from "./credentials/make-token.ts";
import { deleteChallenge, findChallenge, hasSecondFactor, insertChallenge } from "./credentials/second-factor-store.ts";
import { openSignIn, type SignInSender } from "./credentials/sessions.ts";
import { findMemberByEmail, holdMemberWithPassword } from "./member-store.ts";
import { readMe } from "./read-me.ts";
import { acceptCode } from "./second-factor.ts";
import type { SignedIn } from "./sign-up.ts";

/**
 * Signs a member in, or asks for the code of their second factor. Neither the answer nor its timing reveals whether the
 * e-mail is known.
 */
export async function signIn(
  deps: AccountDeps,
  given: { readonly email: string; readonly password: string },
  sender: SignInSender,
): Promise<SignedIn | SecondFactorChallenge> {
  const email = given.email.toLowerCase();
  const { emailAndAddress, email: byEmail, address } = signInLimits(deps.secrets, email, sender.ip);
  const limits = [emailAndAddress, byEmail, address];
  const attempt = await countAttempt(deps.db, limits);
  const member = await findMemberByEmail(deps.db, email);
  const stored = member?.password_hash ?? null;
  const isRight = await deps.hasher.verify(given.password, stored).catch(async (error: unknown) => {
    // A password that was never checked is not a failed attempt.
    await inTransaction(deps.db, (tx) => forgiveAttempt(tx, attempt, limits, []));
    throw error;
  });
  const signedIn =
    member && stored && isRight
      ? await inTransaction(deps.db, async (tx) => {
          if (!(await holdMemberWithPassword(tx, member.id, stored))) return null;
          const note = { accountId: member.account_id, actor: member.id, target: member.id, ...sender };
          if (await hasSecondFactor(tx, member.id)) {
            // Earlier failures stay counted until the code is right: knowing the password grants no more guesses.
            await forgiveAttempt(tx, attempt, limits, []);
            const challenge = makeToken("ct");
            const expiresAt = await insertChallenge(tx, member.id, deps.secrets.digest(challenge));
            await recordAudit(tx, { ...note, action: "sign_in.code_asked" });
            return { challenge, expiresAt: expiresAt.toISOString() };
          }
          await forgiveAttempt(tx, attempt, limits, [emailAndAddress]);
          const { signInId, token } = await openSignIn(tx, deps.secrets, member.id, sender);
          await recordAudit(tx, { ...note, action: "sign_in.succeeded" });
          return { me: await readMe(tx, deps, signInId), token };
        })
      : null;
  if (signedIn) return signedIn;
  await recordAudit(deps.db, {
    accountId: member?.account_id ?? null,
    actor: "service",
    action: "sign_in.failed",
    target: member?.id ?? null,
    data: member?.email ? { email: member.email } : {},
    ...sender,
  });
  throw new AppError("not_signed_in", "The e-mail or the password is wrong.");
}

/**
 * Signs in a member whose password was right, by a code of their device or a recovery code. Wrong codes count against
 * the same limits as wrong passwords, and every refusal reads the same.
 */
export async function signInWithCode(
  deps: AccountDeps,
  given: { readonly challenge: string; readonly code: string },
  sender: SignInSender,
): Promise<SignedIn> {
  const digest = deps.secrets.digest(given.challenge);
  const found = looksLikeToken("ct", given.challenge) ? await findChallenge(deps.db, digest) : null;
  const byMember = found?.email ? signInLimits(deps.secrets, found.email, sender.ip) : null;
  const limits = byMember ? [byMember.emailAndAddress, byMember.email, byMember.address] : [addressLimit(sender.ip)];
  const attempt = await countAttempt(deps.db, limits);
  const signedIn =
    found?.password_hash && byMember
      ? await inTransaction(deps.db, async (tx) => {
          if (!(await holdMemberWithPassword(tx, found.member_id, found.password_hash ?? ""))) return null;
          const shownBy = await acceptCode(tx, deps, found.member_id, given.code);
          if (!shownBy) return null;
          if (!(await deleteChallenge(tx, digest))) throw refusedCode();
          await forgiveAttempt(tx, attempt, limits, [byMember.emailAndAddress]);
          const { signInId, token } = await openSignIn(tx, deps.secrets, found.member_id, sender);
          await recordAudit(tx, {
            accountId: found.account_id,
            actor: found.member_id,
            action: "sign_in.succeeded",
            target: found.member_id,
            data: { secondFactor: shownBy },
            ...sender,
          });
          return { me: await readMe(tx, deps, signInId), token };
        })
      : null;
  if (signedIn) return signedIn;
  await recordAudit(deps.db, {
    accountId: found?.account_id ?? null,
    actor: "service",
    action: "sign_in.failed",
    target: found?.member_id ?? null,
    data: { secondFactor: true, ...(found?.email ? { email: found.email } : {}) },
    ...sender,
  });
  throw refusedCode();
}

function refusedCode(): AppError {
  return new AppError(
    "not_signed_in",
    "The code is wrong, was used already, or the sign-in took too long. Try the next code, or start over.",
  );
}
