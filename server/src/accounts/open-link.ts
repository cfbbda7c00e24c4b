import { timingSafeEqual } from "node:crypto";
import { AppError } from "@parley/contract/errors";
import { inTransaction } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { addressLimit } from "./attempt-limits.ts";
import { countAttempt, forgiveAttempt } from "./limit-attempts.ts";
import { findOpenLink, type LinkKind, type OpenLink } from "./link-store.ts";
import { looksLikeToken } from "./make-token.ts";

/** Looks at a link without using it, before any costly work. Wrong links count against the address they come from. */
export async function openLink(
  deps: Pick<AccountDeps, "db" | "secrets">,
  token: string,
  kinds: readonly LinkKind[],
  ip: string,
): Promise<OpenLink> {
  const limit = addressLimit(ip);
  const attempt = await countAttempt(deps.db, [limit]);
  const digest = deps.secrets.digest(token);
  const link = looksLikeToken("lt", token) ? await findOpenLink(deps.db, digest, kinds) : null;
  if (!link || !timingSafeEqual(link.token_digest, digest)) throw linkGone();
  await inTransaction(deps.db, (tx) => forgiveAttempt(tx, attempt, [limit], []));
  return link;
}

/** One answer for links that never were, were used, or have expired. */
export function linkGone(): AppError {
  return new AppError("not_found", "This link is not valid any more. Ask for a new one.");
}
