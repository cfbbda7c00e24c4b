import type { Me } from "@parley/contract/accounts";
import { AppError, invalidField } from "@parley/contract/errors";
import { inTransaction } from "../platform/database/database.ts";
import { violatedConstraint } from "../platform/database/failures.ts";
import type { AccountDeps } from "./account-deps.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { createAccount } from "./create-account.ts";
import { countAttempt, signUpLimit } from "./credentials/limit-attempts.ts";
import { endLinksOf, type OpenLink, useLink } from "./credentials/link-store.ts";
import { linkGone, openLink } from "./credentials/links.ts";
import { refuseGuessablePassword } from "./credentials/password-judge.ts";
import { openSignIn, type SignInSender } from "./credentials/sessions.ts";
import { EMAIL_TAKEN, lockMember, setEmail, setPassword } from "./member-store.ts";
import { readMe } from "./read-me.ts";

/** A member who has just been signed in, and the token for their cookie. */
export interface SignedIn {
  readonly me: Me;
  readonly token: string;
}

export interface SignUpInput {
  readonly email: string;
  readonly password: string;
  readonly accountName?: string | undefined;
}

/** Creates an account for a new member and signs them in, all or nothing. */
export async function signUp(deps: AccountDeps, input: SignUpInput, sender: SignInSender): Promise<SignedIn> {
  if (deps.signUp === "closed") {
    throw new AppError("sign_up_closed", "This installation takes no new accounts; ask to be invited.");
  }
  await countAttempt(deps.db, [signUpLimit(sender.ip)]);
  await refuseGuessablePassword(deps.judge, "password", input.password, {
    email: input.email,
    accountName: input.accountName ?? null,
  });
  const passwordHash = await deps.hasher.hash(input.password);
  return refuseTakenEmail(() =>
    inTransaction(deps.db, async (tx) => {
      const { accountId, memberId } = await createAccount(tx, deps, {
        name: input.accountName ?? nameFrom(input.email),
        email: input.email,
        passwordHash,
        isOperator: false,
        ...sender,
      });
      const { signInId, token } = await openSignIn(tx, deps.secrets, memberId, sender);
      await recordAudit(tx, { accountId, actor: memberId, action: "sign_in.succeeded", target: memberId, ...sender });
      return { me: await readMe(tx, deps, signInId), token };
    }),
  );
}

/** Turns the database's refusal of a second member with one e-mail into words. */
async function refuseTakenEmail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== EMAIL_TAKEN) throw error;
    throw invalidField("email", "taken", "email cannot be used for a new member here.");
  }
}

function nameFrom(email: string): string {
  return email.split("@")[0] || email;
}

export interface ClaimInput {
  readonly token: string;
  readonly email?: string | undefined;
  readonly password: string;
}

/** Takes over the first account, or accepts an invitation, and signs in. The link works once. */
export async function claimAccount(deps: AccountDeps, input: ClaimInput, sender: SignInSender): Promise<SignedIn> {
  const link = await openLink(deps, input.token, ["claim", "invite"], sender.ip);
  const email = chooseEmail(link, input.email);
  await refuseGuessablePassword(deps.judge, "password", input.password, { email, accountName: link.account_name });
  const passwordHash = await deps.hasher.hash(input.password);
  return refuseTakenEmail(() =>
    inTransaction(deps.db, async (tx) => {
      await lockMember(tx, link.member_id);
      if (!(await useLink(tx, link.token_digest))) throw linkGone();
      await setEmail(tx, link.member_id, email);
      await setPassword(tx, link.member_id, passwordHash);
      await endLinksOf(tx, link.member_id);
      const { signInId, token } = await openSignIn(tx, deps.secrets, link.member_id, sender);
      await recordAudit(tx, {
        accountId: link.account_id,
        actor: link.member_id,
        action: link.kind === "claim" ? "account.claimed" : "member.joined",
        target: link.member_id,
        ...sender,
      });
      return { me: await readMe(tx, deps, signInId), token };
    }),
  );
}

/** Claiming the first account requires an e-mail address; an invitation already has one. */
function chooseEmail(link: OpenLink, given: string | undefined): string {
  if (link.email === null) {
    if (!given) throw invalidField("email", "required", "email is required to claim the first account.");
    return given;
  }
  if (given && given !== link.email) {
    throw invalidField("email", "not_changeable", "email must be the one that was invited; leave it out.");
  }
  return link.email;
}
