import { z } from "zod";
import {
  AccountCreditChange,
  AuditEntry,
  AuditQuery,
  ChangePassword,
  Claim,
  InvitedMember,
  LinkCheck,
  Me,
  Member,
  MemberChanges,
  NewMember,
  OpenLink,
  OperatorAccount,
  OperatorAccountChanges,
  Reset,
  SignIn,
  SignInOutcome,
  SignOut,
  SignUp,
} from "../accounts.ts";
import { ApiKey, CreatedApiKey, NewApiKey } from "../api-keys.ts";
import { idSchema } from "../ids.ts";
import { Done, defineRoute } from "../route.ts";
import { PageQuery } from "../shared-fields.ts";

const anyone = { by: "anyone" } as const;
const member = { by: "member", role: "member" } as const;
const owner = { by: "member", role: "owner" } as const;
const operator = { by: "member", role: "operator" } as const;

export const signUp = defineRoute({
  id: "signUp",
  method: "POST",
  path: "/auth/sign-up",
  tag: "Sign-in",
  summary: "Create an account with free credit, and sign in",
  access: anyone,
  body: SignUp,
  data: Me,
  errors: ["sign_up_closed", "too_many_attempts", "cross_site"],
});

export const signIn = defineRoute({
  id: "signIn",
  method: "POST",
  path: "/auth/sign-in",
  tag: "Sign-in",
  summary: "Sign in with e-mail and password",
  access: anyone,
  body: SignIn,
  data: SignInOutcome,
  errors: ["not_signed_in", "too_many_attempts", "cross_site"],
});

export const signOut = defineRoute({
  id: "signOut",
  method: "POST",
  path: "/auth/sign-out",
  tag: "Sign-in",
  summary: "Sign out",
  access: member,
  body: SignOut,
  bodyOptional: true,
  data: Done,
});

export const getMe = defineRoute({
  id: "getMe",
  method: "GET",
  path: "/auth/me",
  tag: "Sign-in",
  summary: "Get the signed-in member",
  access: member,
  data: Me,
});

export const changePassword = defineRoute({
  id: "changePassword",
  method: "POST",
  path: "/auth/password",
  tag: "Sign-in",
  summary: "Change the password; all other sessions end",
  access: member,
  body: ChangePassword,
  data: Done,
  errors: ["too_many_attempts"],
});

export const checkLink = defineRoute({
  id: "checkLink",
  method: "POST",
  path: "/auth/links/check",
  tag: "Sign-in",
  summary: "Check a claim, invitation or reset link without using it",
  access: anyone,
  body: LinkCheck,
  data: OpenLink,
  errors: ["not_found", "too_many_attempts", "cross_site"],
});

export const claimAccount = defineRoute({
  id: "claimAccount",
  method: "POST",
  path: "/auth/claim",
  tag: "Sign-in",
  summary: "Claim the first account or accept an invitation, and sign in",
  access: anyone,
  body: Claim,
  data: Me,
  errors: ["not_found", "too_many_attempts", "cross_site"],
});

export const resetPassword = defineRoute({
  id: "resetPassword",
  method: "POST",
  path: "/auth/reset",
  tag: "Sign-in",
  summary: "Request a reset link by e-mail, or use one",
  access: anyone,
  body: Reset,
  data: Done,
  errors: ["not_found", "too_many_attempts", "cross_site"],
});

export const listApiKeys = defineRoute({
  id: "listApiKeys",
  method: "GET",
  path: "/api/v1/api-keys",
  tag: "API keys",
  summary: "List keys; the keys themselves are never shown again",
  access: member,
  query: z.strictObject(PageQuery),
  data: ApiKey,
  paged: true,
});

export const createApiKey = defineRoute({
  id: "createApiKey",
  method: "POST",
  path: "/api/v1/api-keys",
  tag: "API keys",
  summary: "Create a key; only this response contains it",
  access: member,
  body: NewApiKey,
  data: CreatedApiKey,
  errors: ["invalid_state", "not_allowed"],
});

export const revokeApiKey = defineRoute({
  id: "revokeApiKey",
  method: "DELETE",
  path: "/api/v1/api-keys/{id}",
  tag: "API keys",
  summary: "Revoke a key everywhere within a second",
  access: member,
  params: z.strictObject({ id: idSchema("apiKey") }),
  data: ApiKey,
  errors: ["not_found"],
});

export const listMembers = defineRoute({
  id: "listMembers",
  method: "GET",
  path: "/api/v1/members",
  tag: "Members",
  summary: "List members and open invitations",
  access: owner,
  query: z.strictObject(PageQuery),
  data: Member,
  paged: true,
});

export const inviteMember = defineRoute({
  id: "inviteMember",
  method: "POST",
  path: "/api/v1/members",
  tag: "Members",
  summary: "Invite a person by link",
  access: owner,
  body: NewMember,
  data: InvitedMember,
  errors: ["invalid_state"],
});

export const changeMember = defineRoute({
  id: "changeMember",
  method: "PATCH",
  path: "/api/v1/members/{id}",
  tag: "Members",
  summary: "Make a member an owner, or an owner a member",
  access: owner,
  params: z.strictObject({ id: idSchema("member") }),
  body: MemberChanges,
  data: Member,
  errors: ["not_found", "invalid_state"],
});

export const removeMember = defineRoute({
  id: "removeMember",
  method: "DELETE",
  path: "/api/v1/members/{id}",
  tag: "Members",
  summary: "Remove a member or an invitation; their sessions end",
  access: owner,
  params: z.strictObject({ id: idSchema("member") }),
  data: Done,
  errors: ["not_found", "invalid_state"],
});

export const listAudit = defineRoute({
  id: "listAudit",
  method: "GET",
  path: "/api/v1/audit",
  tag: "Members",
  summary: "List the audit log, newest first",
  access: { by: "key_or_member", scope: "audit:read", role: "owner" },
  query: AuditQuery,
  data: AuditEntry,
  paged: true,
});

export const listOperatorAccounts = defineRoute({
  id: "listOperatorAccounts",
  method: "GET",
  path: "/api/v1/operator/accounts",
  tag: "Operator",
  summary: "List all accounts of this installation",
  access: operator,
  query: z.strictObject(PageQuery),
  data: OperatorAccount,
  paged: true,
});

export const changeOperatorAccount = defineRoute({
  id: "changeOperatorAccount",
  method: "PATCH",
  path: "/api/v1/operator/accounts/{id}",
  tag: "Operator",
  summary: "Change the limits of an account",
  access: operator,
  params: z.strictObject({ id: idSchema("account") }),
  body: OperatorAccountChanges,
  data: OperatorAccount,
  errors: ["not_found"],
});

export const changeAccountCredit = defineRoute({
  id: "changeAccountCredit",
  method: "POST",
  path: "/api/v1/operator/accounts/{id}/credit",
  tag: "Operator",
  summary: "Add credit to an account, or remove unspent credit",
  access: operator,
  params: z.strictObject({ id: idSchema("account") }),
  body: AccountCreditChange,
  data: OperatorAccount,
  idempotent: true,
  errors: ["not_found", "insufficient_credit"],
});
