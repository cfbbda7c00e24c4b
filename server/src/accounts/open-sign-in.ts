import { makeId } from "@parley/contract/ids";
import type { Secrets } from "../platform/config/secret.ts";
import type { Tx } from "../platform/database/database.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { looksLikeToken, makeToken } from "./make-token.ts";
import { deleteSignInByDigest, insertSignIn } from "./sign-in-store.ts";

/** Where a request came from, as sign-ins and the audit log keep it. */
export interface Sender {
  readonly ip: string;
  readonly client: string | null;
}

/** A request that signs somebody in, and the token it replaces in the browser's cookie. */
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
 * Signs a member in with a new token. The session that the browser had before, whoever's it was, ends: nobody could end
 * it once its cookie is overwritten. The caller has checked that the member may sign in.
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
