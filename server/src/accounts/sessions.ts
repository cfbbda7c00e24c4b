import { AppError } from "@parley/contract/errors";
import type { SignInSession } from "@parley/contract/sign-in-security";
import Bowser from "bowser";
import { type Database, inTransaction } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/actor.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { Sender } from "./open-sign-in.ts";
import { deleteOtherSignIns, deleteSignInOf, type SignInRow } from "./sign-in-store.ts";

/** A sign-in as its member sees it in the list of sessions. */
export function toSession(row: SignInRow, currentId: string): SignInSession {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    ip: row.ip,
    device: describeDevice(row.client),
    userAgent: row.client,
    isCurrent: row.id === currentId,
  };
}

/** Browser and system in words, such as "Firefox on Linux"; for a program its own name. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const { browser, os } = Bowser.parse(userAgent);
  const known = [browser.name, os.name].filter(Boolean).join(" on ");
  // Programs such as curl name themselves first: `curl/8.5.0`.
  return known || (/^[\w .-]+/.exec(userAgent)?.[0].trim() ?? "Unknown device");
}

/** Ends one session of the member. Another member's session is answered as one that does not exist. */
export async function endSession(db: Database, member: MemberActor, id: string, sender: Sender): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await deleteSignInOf(tx, member.memberId, id)))
      throw new AppError("not_found", "You have no such session, or it has ended.");
    await recordAudit(tx, endedNote(member, sender, { everywhere: false, session: id }));
  });
}

/** Ends every session of the member but the one the request was made with. */
export async function endOtherSessions(db: Database, member: MemberActor, sender: Sender): Promise<number> {
  return inTransaction(db, async (tx) => {
    const count = await deleteOtherSignIns(tx, member.memberId, member.signInId);
    await recordAudit(tx, endedNote(member, sender, { everywhere: false, others: count }));
    return count;
  });
}

function endedNote(member: MemberActor, sender: Sender, data: Readonly<Record<string, unknown>>) {
  const { accountId, memberId } = member;
  return { accountId, actor: memberId, action: "sign_in.ended", target: memberId, data, ...sender } as const;
}
