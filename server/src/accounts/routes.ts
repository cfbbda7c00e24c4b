import type { Me } from "@parley/contract/accounts";
import * as account from "@parley/contract/routes/account";
import * as routes from "@parley/contract/routes/members";
import * as security from "@parley/contract/routes/sign-in-security";
import { grantableScopes } from "@parley/contract/scopes";
import { toPage } from "../platform/http/cursor.ts";
import { type Answer, type ApiRequest, type BoundRoute, handle } from "../platform/http/handler.ts";
import type { AccountDeps } from "./account-deps.ts";
import { changeAccountSettings, readAccountSettings } from "./account-settings.ts";
import { openLink } from "./credentials/links.ts";
import {
  endOtherSessions,
  endSession,
  type Sender,
  type SignInSender,
  signInCookie,
  signOut,
  signOutCookie,
  toSession,
} from "./credentials/sessions.ts";
import { listSignInRows } from "./credentials/sign-in-store.ts";
import { listMemberRows, toMember } from "./member-store.ts";
import { changeMember, inviteMember, removeMember } from "./members.ts";
import { changeAccountCredit, changeOperatorAccount, toOperatorAccount } from "./operator-accounts.ts";
import { listAccountRows } from "./operator-store.ts";
import { changePassword, requestReset, resetPassword } from "./passwords.ts";
import { readMe } from "./read-me.ts";
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  replaceRecoveryCodes,
  startSecondFactor,
} from "./second-factor.ts";
import { signIn, signInWithCode } from "./sign-in.ts";
import { claimAccount, type SignedIn, signUp } from "./sign-up.ts";

/** Every route about people: signing in, members, settings, and the operator's view of accounts. */
export function accountRoutes(deps: AccountDeps): BoundRoute[] {
  return [
    ...signInRoutes(deps),
    ...secondFactorRoutes(deps),
    ...sessionRoutes(deps),
    ...memberRoutes(deps),
    ...settingsRoutes(deps),
    ...operatorRoutes(deps),
  ];
}

function sessionRoutes(deps: AccountDeps): BoundRoute[] {
  return [
    handle(security.listSessions, async ({ member, query }) => {
      const filter = ["sessions", member.memberId];
      const after = readPosition(deps, query.cursor, filter);
      const rows = await listSignInRows(deps.db, member.memberId, query.limit + 1, after);
      const page = toPage(rows, query.limit, (last) => writePosition(deps, last, filter));
      return { data: page.rows.map((row) => toSession(row, member.signInId)), nextCursor: page.nextCursor };
    }),
    handle(security.endSession, async (request) => {
      const { member, params } = request;
      await endSession(deps.db, member, params.id, senderOf(request));
      const isCurrent = params.id === member.signInId;
      return { data: {}, headers: isCurrent ? { "set-cookie": signOutCookie(deps.publicUrl()) } : {} };
    }),
    handle(security.endOtherSessions, async (request) => ({
      data: { endedCount: await endOtherSessions(deps.db, request.member, senderOf(request)) },
    })),
  ];
}

function memberRoutes(deps: AccountDeps): BoundRoute[] {
  return [
    handle(routes.listMembers, async ({ accountId, query }) => {
      const filter = ["members", accountId];
      const after = readPosition(deps, query.cursor, filter);
      const rows = await listMemberRows(deps.db, accountId, query.limit + 1, after);
      const page = toPage(rows, query.limit, (last) => writePosition(deps, last, filter));
      return { data: page.rows.map(toMember), nextCursor: page.nextCursor };
    }),
    handle(routes.inviteMember, async (request) => ({
      data: await inviteMember(deps, request.member, request.body, senderOf(request)),
    })),
    handle(routes.changeMember, async (request) => ({
      data: await changeMember(deps, request.member, request.params.id, request.body.role, senderOf(request)),
    })),
    handle(routes.removeMember, async (request) => {
      await removeMember(deps, request.member, request.params.id, senderOf(request));
      return { data: {} };
    }),
  ];
}

function settingsRoutes(deps: AccountDeps): BoundRoute[] {
  return [
    handle(account.getAccess, async ({ accountId, mode, actor }) => {
      if (!actor) throw new Error("the route is open to signed-in clients only");
      const scopes = actor.kind === "key" ? [...actor.scopes] : grantableScopes(actor.role);
      return { data: { accountId, mode, scopes, by: actor.kind } };
    }),
    handle(account.getSettings, async ({ accountId }) => ({ data: await readAccountSettings(deps.db, accountId) })),
    handle(account.changeSettings, async (request) => {
      if (!request.actor) throw new Error("settings are changed by someone");
      return { data: await changeAccountSettings(deps.db, request.actor, request.body, senderOf(request)) };
    }),
  ];
}

function operatorRoutes(deps: AccountDeps): BoundRoute[] {
  return [
    handle(routes.listOperatorAccounts, async ({ query }) => {
      const filter = ["operator-accounts"];
      const [afterId = null] = query.cursor ? deps.cursors.read(query.cursor, filter) : [];
      const rows = await listAccountRows(deps.db, query.limit + 1, afterId);
      const page = toPage(rows, query.limit, (last) => deps.cursors.write([last.id], filter));
      return { data: page.rows.map(toOperatorAccount), nextCursor: page.nextCursor };
    }),
    handle(routes.changeOperatorAccount, async (request) => ({
      data: await changeOperatorAccount(deps.db, request.params.id, request.body, {
        actor: request.member.memberId,
        ...senderOf(request),
      }),
    })),
    handle(routes.changeAccountCredit, (request) =>
      changeAccountCredit(deps.db, request.once, request.params.id, request.body, {
        actor: request.member.memberId,
        ...senderOf(request),
      }),
    ),
  ];
}

interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

function readPosition(deps: AccountDeps, cursor: string | undefined, filter: unknown): Position | null {
  const [createdAt, id] = cursor ? deps.cursors.read(cursor, filter) : [];
  return createdAt && id ? { createdAt: new Date(createdAt), id } : null;
}

function writePosition(deps: AccountDeps, last: { created_at: Date; id: string }, filter: unknown): string {
  return deps.cursors.write([last.created_at.toISOString(), last.id], filter);
}

/** Sign-up, sign-in and everything about one's own password. */
function signInRoutes(deps: AccountDeps): BoundRoute[] {
  const withCookie = ({ me, token }: SignedIn): Answer<Me> => ({
    data: me,
    headers: { "set-cookie": signInCookie(deps.publicUrl(), token) },
  });
  return [
    handle(routes.signUp, async (request) => withCookie(await signUp(deps, request.body, signInSenderOf(request)))),
    handle(routes.signIn, async (request) => {
      const outcome = await signIn(deps, request.body, signInSenderOf(request));
      return "challenge" in outcome ? { data: outcome } : withCookie(outcome);
    }),
    handle(security.signInWithCode, async (request) =>
      withCookie(await signInWithCode(deps, request.body, signInSenderOf(request))),
    ),
    handle(routes.checkLink, async ({ body, ip }) => {
      const { kind, email } = await openLink(deps, body.token, ["claim", "invite", "reset"], ip);
      return { data: { kind, email } };
    }),
    handle(routes.claimAccount, async (request) =>
      withCookie(await claimAccount(deps, request.body, signInSenderOf(request))),
    ),
    handle(routes.signOut, async (request) => {
      await signOut(deps, request.member, request.body.everywhere, senderOf(request));
      return { data: {}, headers: { "set-cookie": signOutCookie(deps.publicUrl()) } };
    }),
    handle(routes.getMe, async ({ member }) => ({ data: await readMe(deps.db, deps, member.signInId) })),
    handle(routes.changePassword, async (request) => {
      const token = await changePassword(deps, request.member, request.body, signInSenderOf(request));
      return { data: {}, headers: { "set-cookie": signInCookie(deps.publicUrl(), token) } };
    }),
    handle(routes.resetPassword, async (request) => {
      const { body } = request;
      if ("email" in body) await requestReset(deps, body.email, senderOf(request));
      else await resetPassword(deps, body, senderOf(request));
      return { data: {} };
    }),
  ];
}

/** A member's own second factor. */
function secondFactorRoutes(deps: AccountDeps): BoundRoute[] {
  return [
    handle(security.getSecondFactor, async ({ member }) => ({ data: await readSecondFactor(deps, member) })),
    handle(security.startSecondFactor, async (request) => ({
      data: await startSecondFactor(deps, request.member, request.body.password, senderOf(request)),
    })),
    handle(security.confirmSecondFactor, async (request) => ({
      data: await confirmSecondFactor(deps, request.member, request.body.code, senderOf(request)),
    })),
    handle(security.replaceRecoveryCodes, async (request) => ({
      data: await replaceRecoveryCodes(deps, request.member, request.body, senderOf(request)),
    })),
    handle(security.disableSecondFactor, async (request) => {
      await disableSecondFactor(deps, request.member, request.body, senderOf(request));
      return { data: {} };
    }),
  ];
}

function senderOf(request: Pick<ApiRequest, "ip" | "client">): Sender {
  return { ip: request.ip, client: request.client };
}

function signInSenderOf(request: Pick<ApiRequest, "ip" | "client" | "cookieToken">): SignInSender {
  return { ...senderOf(request), cookieToken: request.cookieToken };
}
