import type { InvitedMember, Member } from "@parley/contract/accounts";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { Role } from "@parley/contract/scopes";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { violatedConstraint } from "../platform/database/failures.ts";
import type { MemberActor } from "../platform/http/authenticate.ts";
import type { Mail } from "../platform/mail/send-mail.ts";
import type { AccountDeps } from "./account-deps.ts";
import { lockAccount } from "./account-store.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { inviteMailLimit, isWithinLimit } from "./credentials/limit-attempts.ts";
import { createLink, RESET_LASTS_HOURS } from "./credentials/links.ts";
import type { Sender } from "./credentials/sessions.ts";
import {
  countOthers,
  deleteMember,
  EMAIL_TAKEN,
  findMember,
  insertMember,
  listMemberRows,
  setRole,
  toMember,
} from "./member-store.ts";
import { readMe } from "./read-me.ts";

/** Invites a person by a link, which is mailed too where mail is configured. */
export async function inviteMember(
  deps: AccountDeps,
  owner: MemberActor,
  input: { readonly email: string; readonly role: Role },
  sender: Sender,
): Promise<InvitedMember> {
  const invited = await refuseKnownEmail(() =>
    inTransaction(deps.db, async (tx) => {
      const row = await insertMember(tx, {
        id: makeId("member"),
        accountId: owner.accountId,
        email: input.email,
        passwordHash: null,
        role: input.role,
        isOperator: false,
      });
      const inviteUrl = await createLink(tx, deps, row.id, "invite");
      await recordAudit(tx, {
        accountId: owner.accountId,
        actor: owner.memberId,
        action: "member.invited",
        target: row.id,
        ...sender,
        data: { email: input.email, role: input.role },
      });
      return { ...toMember(row), inviteUrl };
    }),
  );
  const isMailed = await mailInvitation(deps, owner, input.email, invited.inviteUrl);
  return { ...invited, isMailed };
}

/** An account that invites very many people hands over the links itself, so that spam cannot be sent through us. */
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
    throw new AppError("invalid_state", "This email already belongs to a member or an invitation.");
  }
}

/** Makes a member an owner or an owner a member, from their next request on. An owner who can sign in always remains. */
export async function changeMember(
  deps: Pick<AccountDeps, "db">,
  owner: MemberActor,
  memberId: string,
  role: Role,
  sender: Sender,
): Promise<Member> {
  return inTransaction(deps.db, async (tx) => {
    // Two owners who demote each other concurrently are serialized here, and the second is refused.
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

/** Removes a member or an invitation. At least one owner, and one operator of the installation, always remains. */
export async function removeMember(
  deps: Pick<AccountDeps, "db">,
  owner: MemberActor,
  memberId: string,
  sender: Sender,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    // Two owners who remove each other concurrently are serialized here, and the second is refused.
    await lockAccount(tx, owner.accountId);
    const member = await findMember(tx, memberId);
    if (member?.account_id !== owner.accountId) throw new AppError("not_found", "The account has no such member.");
    if (member.id === owner.memberId) throw new AppError("invalid_state", "You cannot remove yourself.");
    const others = await countOthers(tx, member);
    if (member.role === "owner" && others.owners === 0) {
      throw new AppError("invalid_state", "The last owner of an account cannot be removed.");
    }
    if (member.is_operator && others.operators === 0) {
      throw new AppError("invalid_state", "The last operator of the installation cannot be removed.");
    }
    await deleteMember(tx, member.id);
    await recordAudit(tx, {
      accountId: owner.accountId,
      actor: owner.memberId,
      action: "member.removed",
      target: member.id,
      ...sender,
      data: { email: member.email, role: member.role },
    });
  });
}

export function resetMail(to: string, url: string): Mail {
  return {
    to,
    subject: "Set a new password",
    text: `Someone, probably you, requested a new password.

Open this link within ${RESET_LASTS_HOURS} hours to set one. It works once:

${url}

If it was not you, nothing has changed and you need not do anything.
`,
  };
}

function inviteMail(to: string, url: string, accountName: string): Mail {
  return {
    to,
    subject: "You are invited",
    text: `You are invited to join the account "${accountName}".

Open this link within 7 days to choose a password and sign in. It works once:

${url}
`,
  };
}

// Notices are for people; an account with more members than this has enough people who read them.
const MEMBERS_READ_MAX = 1000;

/** The e-mail addresses of the owners of an account who have joined. */
export async function findOwnerEmails(db: Database, accountId: string): Promise<string[]> {
  const members = await listMemberRows(db, accountId, MEMBERS_READ_MAX, null);
  return members.flatMap(({ email, role, password_hash }) =>
    role === "owner" && email !== null && password_hash !== null ? [email] : [],
  );
}
