import { timingSafeEqual } from "node:crypto";
import type { Secrets } from "../platform/config/secret.ts";
import type { Database } from "../platform/database/database.ts";
import type { MemberActor } from "../platform/http/actor.ts";
import { looksLikeToken } from "./make-token.ts";
import { findSignInByDigest, touchSignIn } from "./sign-in-store.ts";

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
