import type { Me } from "@parley/contract/accounts";
import * as routes from "@parley/contract/routes/members";
import * as security from "@parley/contract/routes/sign-in-security";
import { type Answer, type ApiRequest, type BoundRoute, handle } from "../platform/http/handler.ts";
import type { AccountDeps } from "./account-deps.ts";
import { changePassword, requestReset, resetPassword } from "./passwords.ts";
import { readMe } from "./read-me.ts";
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  replaceRecoveryCodes,
  startSecondFactor,
} from "./second-factor.ts";
import { type Sender, type SignInSender, signInCookie, signOut, signOutCookie } from "./sessions.ts";
import { signIn, signInWithCode } from "./sign-in.ts";
import { claimAccount, type SignedIn, signUp } from "./sign-up.ts";

/** Sign-up, sign-in and everything about one's own password. */
export function signInRoutes(deps: AccountDeps): BoundRoute[] {
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
export function secondFactorRoutes(deps: AccountDeps): BoundRoute[] {
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

export function senderOf(request: Pick<ApiRequest, "ip" | "client">): Sender {
  return { ip: request.ip, client: request.client };
}

function signInSenderOf(request: Pick<ApiRequest, "ip" | "client" | "cookieToken">): SignInSender {
  return { ...senderOf(request), cookieToken: request.cookieToken };
}
