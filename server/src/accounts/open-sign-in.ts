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

/** Signs a member in and gives the token for the cookie. Whoever calls this has checked that they may. */
export async function openSignIn(
  tx: Tx,
  secrets: Pick<Secrets, "digest">,
  memberId: string,
  sender: Sender,
): Promise<string> {
  const token = makeToken("st");
  await insertSignIn(tx, {
    id: makeId("signIn"),
    memberId,
    tokenDigest: secrets.digest(token),
    ip: sender.ip,
    client: sender.client,
  });
  return token;
}
