import { timingSafeEqual } from "node:crypto";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import { inTransaction, type Tx } from "../../platform/database/database.ts";
import type { AccountDeps } from "../account-deps.ts";
import { addressLimit, countAttempt, forgiveAttempt } from "./limit-attempts.ts";
import { findOpenLink, insertLink, insertResetLinkFor, type LinkKind, type OpenLink } from "./link-store.ts";
import { looksLikeToken, makeToken } from "./make-token.ts";

export const RESET_LASTS_HOURS = 24;
/** For accounts that an operator creates. The first account's link has no end: no one else could create another. */
export const CLAIM_LASTS_HOURS = 7 * 24;
const LASTS_HOURS: Readonly<Record<LinkKind, number | null>> = {
  claim: null,
  invite: 7 * 24,
  reset: RESET_LASTS_HOURS,
};

type LinkDeps = Pick<AccountDeps, "secrets" | "publicUrl">;

/** Creates a one-time link for a member and returns its URL, which is not stored. */
export async function createLink(
  tx: Tx,
  deps: LinkDeps,
  memberId: string,
  kind: LinkKind,
  lastsHours: number | null = LASTS_HOURS[kind],
): Promise<string> {
  const token = makeToken("lt");
  await insertLink(tx, {
    id: makeId("link"),
    kind,
    memberId,
    tokenDigest: deps.secrets.digest(token),
    lastsHours,
  });
  return linkUrl(deps, kind, token);
}

export interface ResetLink {
  readonly url: string;
  readonly memberId: string;
  readonly accountId: string;
}

/** Creates a reset link for the member with this e-mail, or returns null when no such member has joined. */
export async function createResetLinkFor(tx: Tx, deps: LinkDeps, email: string): Promise<ResetLink | null> {
  const token = makeToken("lt");
  const made = await insertResetLinkFor(tx, email, {
    id: makeId("link"),
    tokenDigest: deps.secrets.digest(token),
    lastsHours: RESET_LASTS_HOURS,
  });
  return made ? { ...made, url: linkUrl(deps, "reset", token) } : null;
}

/** An invited person needs no e-mail field: it is in the URL. */
const PAGES: Readonly<Record<LinkKind, { readonly path: string; readonly more: string }>> = {
  claim: { path: "claim", more: "" },
  invite: { path: "claim", more: "&invited=yes" },
  reset: { path: "reset", more: "" },
};

function linkUrl(deps: LinkDeps, kind: LinkKind, token: string): string {
  const { path, more } = PAGES[kind];
  return `${deps.publicUrl()}/${path}?token=${token}${more}`;
}

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
  return new AppError("not_found", "This link is no longer valid. Ask for a new one.");
}
