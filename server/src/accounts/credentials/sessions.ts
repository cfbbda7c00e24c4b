import { timingSafeEqual } from "node:crypto";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import type { SignInSession } from "@parley/contract/sign-in-security";
import Bowser from "bowser";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { MemberActor } from "../../platform/http/authenticate.ts";
import type { AccountDeps } from "../account-deps.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { looksLikeToken, makeToken } from "./make-token.ts";
import {
  deleteOtherSignIns,
  deleteSignIn,
  deleteSignInByDigest,
  deleteSignInOf,
  deleteSignInsOf,
  findSignInByDigest,
  insertSignIn,
  type SignInRow,
  touchSignIn,
} from "./sign-in-store.ts";

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

/** Browser and operating system, such as "Firefox on Linux"; for a program its own name. */
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

/** Where a request came from, as sign-ins and the audit log keep it. */
export interface Sender {
  readonly ip: string;
  readonly client: string | null;
}

/** A request that signs a member in, and the token it replaces in the browser's cookie. */
export interface SignInSender extends Sender {
  readonly cookieToken?: string | undefined;
}

/** A sign-in that was just opened. */
export interface OpenedSignIn {
  readonly signInId: string;
  /** For the cookie. */
  readonly token: string;
}

/**
 * Signs a member in with a new token. The browser's previous session, of any member, ends: it could not be ended
 * once its cookie is overwritten. The caller has checked that the member may sign in.
 */
export async function openSignIn(
  tx: Tx,
  secrets: Pick<Secrets, "digest">,
  memberId: string,
  sender: SignInSender,
): Promise<OpenedSignIn> {
  await endReplaced(tx, secrets, sender);
  const token = makeToken("st");
  const signInId = makeId("signIn");
  await insertSignIn(tx, {
    id: signInId,
    memberId,
    tokenDigest: secrets.digest(token),
    ip: sender.ip,
    client: sender.client,
  });
  return { signInId, token };
}

async function endReplaced(tx: Tx, secrets: Pick<Secrets, "digest">, sender: SignInSender): Promise<void> {
  const { cookieToken, ip, client } = sender;
  if (!cookieToken || !looksLikeToken("st", cookieToken)) return;
  const ended = await deleteSignInByDigest(tx, secrets.digest(cookieToken));
  if (!ended) return;
  await recordAudit(tx, {
    accountId: ended.account_id,
    actor: ended.member_id,
    action: "sign_in.ended",
    target: ended.member_id,
    data: { everywhere: false, replaced: true },
    ip,
    client,
  });
}

/** Finds who a cookie's token belongs to. Nothing is remembered: a removed member is out with the next request. */
export function createSignInFinder(
  db: Database,
  secrets: Pick<Secrets, "digest">,
  operatorsNeedSecondFactor: boolean,
): (token: string) => Promise<MemberActor | null> {
  return async (token) => {
    if (!looksLikeToken("st", token)) return null;
    const digest = secrets.digest(token);
    const row = await findSignInByDigest(db, digest);
    if (!row || !timingSafeEqual(row.token_digest, digest)) return null;
    if (row.is_touch_due) await touchSignIn(db, row.id);
    return {
      kind: "member",
      memberId: row.member_id,
      accountId: row.account_id,
      role: row.role,
      isOperator: row.is_operator,
      lacksSecondFactor: operatorsNeedSecondFactor && row.is_operator && !row.has_second_factor,
      email: row.email,
      signInId: row.id,
    };
  };
}

const LASTS_SECONDS = 7 * 24 * 3600;

/** Browsers take a `__Host-` cookie only from https, for this host alone and for every path: where we can, we ask for that. */
export function cookieNameFor(publicUrl: string): string {
  return isHttps(publicUrl) ? "__Host-parley" : "parley";
}

/** The Set-Cookie value that signs a browser in. */
export function signInCookie(publicUrl: string, token: string): string {
  return writeCookie(publicUrl, token, LASTS_SECONDS);
}

/** The Set-Cookie value that makes a browser forget. */
export function signOutCookie(publicUrl: string): string {
  return writeCookie(publicUrl, "", 0);
}

function writeCookie(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const attributes = ["Path=/", `Max-Age=${maxAgeSeconds}`, "HttpOnly", "SameSite=Lax"];
  if (isHttps(publicUrl)) attributes.push("Secure");
  return [`${cookieNameFor(publicUrl)}=${value}`, ...attributes].join("; ");
}

function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === "https:";
}

/** Ends the sign-in of this browser, or every one of the member. */
export async function signOut(
  deps: Pick<AccountDeps, "db">,
  member: MemberActor,
  isEverywhere: boolean,
  sender: Sender,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (isEverywhere) await deleteSignInsOf(tx, member.memberId);
    else await deleteSignIn(tx, member.signInId);
    await recordAudit(tx, {
      accountId: member.accountId,
      actor: member.memberId,
      action: "sign_in.ended",
      target: member.memberId,
      data: { everywhere: isEverywhere },
      ...sender,
    });
  });
}
