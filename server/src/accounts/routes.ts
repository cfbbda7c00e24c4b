import * as account from "@parley/contract/routes/account";
import * as routes from "@parley/contract/routes/members";
import * as security from "@parley/contract/routes/sign-in-security";
import { toPage } from "../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../platform/http/handler.ts";
import type { AccountDeps } from "./account-deps.ts";
import { changeAccountSettings, readAccountSettings } from "./account-settings.ts";
import { listMemberRows, toMember } from "./member-store.ts";
import { changeMember, inviteMember, removeMember } from "./members.ts";
import { changeAccountCredit, changeOperatorAccount, toOperatorAccount } from "./operator-accounts.ts";
import { listAccountRows } from "./operator-store.ts";
import { endOtherSessions, endSession, signOutCookie, toSession } from "./sessions.ts";
import { secondFactorRoutes, senderOf, signInRoutes } from "./sign-in-routes.ts";
import { listSignInRows } from "./sign-in-store.ts";

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
