import { makeId } from "@parley/contract/ids";
import type { Secrets } from "../config/secret.ts";
import type { Tx } from "../database/database.ts";
import { makeToken } from "./make-token.ts";
import { insertSignIn } from "./sign-in-store.ts";

/** Where a request came from, as sign-ins and the audit log keep it. */
export interface Sender {
  readonly ip: string;
  readonly client: string | null;
}

/** A sign-in that was just opened. */
export interface OpenedSignIn {
  readonly signInId: string;
  /** For the cookie. */
  readonly token: string;
}

/** Signs a member in. Whoever calls this has checked that they may. */
export async function openSignIn(
  tx: Tx,
  secrets: Pick<Secrets, "digest">,
  memberId: string,
  sender: Sender,
): Promise<OpenedSignIn> {
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
