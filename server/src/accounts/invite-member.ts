import type { InvitedMember } from "@parley/contract/accounts";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Role } from "@parley/contract/scopes";
import { inTransaction } from "../platform/database/database.ts";
import { violatedConstraint } from "../platform/database/failures.ts";
import type { MemberActor } from "../platform/http/actor.ts";
import type { AccountDeps } from "./account-deps.ts";
import { inviteMailLimit } from "./attempt-limits.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { createLink } from "./create-link.ts";
import { isWithinLimit } from "./limit-attempts.ts";
import { inviteMail } from "./mails.ts";
import { EMAIL_TAKEN, insertMember } from "./member-store.ts";
import type { Sender } from "./open-sign-in.ts";
import { readMe } from "./read-me.ts";
import { toMember } from "./to-member.ts";

/** Invites a person by a link, which is mailed too where mail is configured. */
export async function inviteMember(
  deps: AccountDeps,
  owner: MemberActor,
  wish: { readonly email: string; readonly role: Role },
  sender: Sender,
): Promise<InvitedMember> {
  const invited = await refuseKnownEmail(() =>
    inTransaction(deps.db, async (tx) => {
      const row = await insertMember(tx, {
        id: makeId("member"),
        accountId: owner.accountId,
        email: wish.email,
        passwordHash: null,
        role: wish.role,
        isOperator: false,
      });
      const inviteUrl = await createLink(tx, deps, row.id, "invite");
      await recordAudit(tx, {
        accountId: owner.accountId,
        actor: owner.memberId,
        action: "member.invited",
        target: row.id,
        ...sender,
        data: { email: wish.email, role: wish.role },
      });
      return { ...toMember(row), inviteUrl };
    }),
  );
  const isMailed = await mailInvitation(deps, owner, wish.email, invited.inviteUrl);
  return { ...invited, isMailed };
}

/** An account that invites very many people hands over the links itself, so that nobody can send spam through us. */
async function mailInvitation(deps: AccountDeps, owner: MemberActor, email: string, url: string): Promise<boolean> {
  if (!deps.mailer || !(await isWithinLimit(deps.db, inviteMailLimit(owner.accountId)))) return false;
  const { account } = await readMe(deps.db, deps, owner.signInId);
  deps.mailer.send(inviteMail(email, url, account.name));
  return true;
}

async function refuseKnownEmail<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== EMAIL_TAKEN) throw error;
    throw new AppError("invalid_state", "This e-mail already belongs to a member or an invitation.");
  }
}
