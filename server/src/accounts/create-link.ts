import { makeId } from "@parley/contract/ids";
import type { Tx } from "../platform/database/database.ts";
import type { AccountDeps } from "./account-deps.ts";
import { insertLink, insertResetLinkFor, type LinkKind } from "./link-store.ts";
import { makeToken } from "./make-token.ts";

export const RESET_LASTS_HOURS = 24;
/** For accounts that an operator makes. The first account's link has no end: nobody else could give another. */
export const CLAIM_LASTS_HOURS = 7 * 24;
const LASTS_HOURS: Readonly<Record<LinkKind, number | null>> = {
  claim: null,
  invite: 7 * 24,
  reset: RESET_LASTS_HOURS,
};

type LinkDeps = Pick<AccountDeps, "secrets" | "publicUrl">;

/** Makes a one-time link for a member and gives its address, which cannot be had again. */
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

/** Makes a reset link for whoever has the e-mail, or null when nobody with it has joined. */
export async function createResetLinkFor(tx: Tx, deps: LinkDeps, email: string): Promise<ResetLink | null> {
  const token = makeToken("lt");
  const made = await insertResetLinkFor(tx, email, {
    id: makeId("link"),
    tokenDigest: deps.secrets.digest(token),
    lastsHours: RESET_LASTS_HOURS,
  });
  return made ? { ...made, url: linkUrl(deps, "reset", token) } : null;
}

/** Who was invited is known and asked for no e-mail: the page is told so by its address. */
const PAGES: Readonly<Record<LinkKind, { readonly path: string; readonly more: string }>> = {
  claim: { path: "claim", more: "" },
  invite: { path: "claim", more: "&invited=yes" },
  reset: { path: "reset", more: "" },
};

function linkUrl(deps: LinkDeps, kind: LinkKind, token: string): string {
  const { path, more } = PAGES[kind];
  return `${deps.publicUrl()}/${path}?token=${token}${more}`;
}
