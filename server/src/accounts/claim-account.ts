import { invalidField } from "@parley/contract/errors";
import { inTransaction } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { endLinksOf, type OpenLink, useLink } from "./link-store.ts";
import { lockMember, setEmail, setPassword } from "./member-store.ts";
import { linkGone, openLink } from "./open-link.ts";
import { openSignIn, type SignInSender } from "./open-sign-in.ts";
import { refuseGuessablePassword } from "./password-judge.ts";
import { readMe } from "./read-me.ts";
import { refuseTakenEmail, type SignedIn } from "./sign-up.ts";

export interface ClaimWish {
  readonly token: string;
  readonly email?: string | undefined;
  readonly password: string;
}

/** Takes over the first account, or accepts an invitation, and signs in. The link works once. */
export async function claimAccount(deps: AccountDeps, wish: ClaimWish, sender: SignInSender): Promise<SignedIn> {
  const link = await openLink(deps, wish.token, ["claim", "invite"], sender.ip);
  const email = chooseEmail(link, wish.email);
  await refuseGuessablePassword(deps.judge, "password", wish.password, { email, accountName: link.account_name });
  const passwordHash = await deps.hasher.hash(wish.password);
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

/** Whoever claims the first account says who they are; whoever was invited is who was invited. */
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
