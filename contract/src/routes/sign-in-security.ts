import { z } from "zod";
import { Me } from "../accounts.ts";
import { idSchema } from "../ids.ts";
import { Done, defineRoute } from "../route.ts";
import { PageQuery } from "../shared-fields.ts";
import {
  EndedSessions,
  RecoveryCodes,
  SecondFactor,
  SecondFactorConfirmation,
  SecondFactorProof,
  SecondFactorSecret,
  SecondFactorStart,
  SignInCode,
  SignInSession,
} from "../sign-in-security.ts";

const anyone = { by: "anyone" } as const;
const member = { by: "member", role: "member" } as const;

export const listSessions = defineRoute({
  id: "listSessions",
  method: "GET",
  path: "/auth/sessions",
  tag: "Sign-in",
  summary: "List the member's sessions, newest first",
  access: member,
  query: z.strictObject(PageQuery),
  data: SignInSession,
  paged: true,
});

export const endSession = defineRoute({
  id: "endSession",
  method: "DELETE",
  path: "/auth/sessions/{id}",
  tag: "Sign-in",
  summary: "End one session of the member",
  access: member,
  params: z.strictObject({ id: idSchema("signIn") }),
  data: Done,
  errors: ["not_found"],
});

export const endOtherSessions = defineRoute({
  id: "endOtherSessions",
  method: "DELETE",
  path: "/auth/sessions",
  tag: "Sign-in",
  summary: "End all other sessions of the member",
  access: member,
  data: EndedSessions,
});

export const signInWithCode = defineRoute({
  id: "signInWithCode",
  method: "POST",
  path: "/auth/sign-in/code",
  tag: "Sign-in",
  summary: "Complete the sign-in with a code of the second factor or a recovery code",
  access: anyone,
  body: SignInCode,
  data: Me,
  errors: ["not_signed_in", "too_many_attempts", "cross_site"],
});

export const getSecondFactor = defineRoute({
  id: "getSecondFactor",
  method: "GET",
  path: "/auth/second-factor",
  tag: "Sign-in",
  summary: "Get the state of the member's second factor",
  access: member,
  data: SecondFactor,
});

export const startSecondFactor = defineRoute({
  id: "startSecondFactor",
  method: "POST",
  path: "/auth/second-factor",
  tag: "Sign-in",
  summary: "Create a secret for an authenticator app; it is active once confirmed by a code",
  access: member,
  body: SecondFactorStart,
  data: SecondFactorSecret,
  errors: ["invalid_state", "too_many_attempts"],
});

export const confirmSecondFactor = defineRoute({
  id: "confirmSecondFactor",
  method: "POST",
  path: "/auth/second-factor/confirm",
  tag: "Sign-in",
  summary: "Enable the second factor with a first code, and get recovery codes",
  access: member,
  body: SecondFactorConfirmation,
  data: RecoveryCodes,
  errors: ["invalid_state", "too_many_attempts"],
});

export const replaceRecoveryCodes = defineRoute({
  id: "replaceRecoveryCodes",
  method: "POST",
  path: "/auth/second-factor/recovery-codes",
  tag: "Sign-in",
  summary: "Replace the recovery codes; the previous ones stop working",
  access: member,
  body: SecondFactorProof,
  data: RecoveryCodes,
  errors: ["invalid_state", "too_many_attempts"],
});

export const disableSecondFactor = defineRoute({
  id: "disableSecondFactor",
  method: "POST",
  path: "/auth/second-factor/disable",
  tag: "Sign-in",
  summary: "Disable the second factor",
  access: member,
  body: SecondFactorProof,
  data: Done,
  errors: ["invalid_state", "too_many_attempts"],
});
