import { z } from "zod";
import { idSchema } from "./ids.ts";
import { UsdInput } from "./money.ts";
import { Role } from "./scopes.ts";
import { Name, PageQuery, Timestamp, TimestampInput } from "./shared-fields.ts";

export const PASSWORD_CHARS_MIN = 12;
const PASSWORD_CHARS_MAX = 128;

export const Email = z
  .email("must be an e-mail address")
  .max(254)
  .transform((email) => email.toLowerCase())
  .meta({ example: "ada@example.com" });

/** A password being set. A password being checked is any string, so that old rules never lock anyone out. */
const NewPassword = z
  .string()
  .min(PASSWORD_CHARS_MIN, `must have at least ${PASSWORD_CHARS_MIN} characters`)
  .max(PASSWORD_CHARS_MAX, `must have at most ${PASSWORD_CHARS_MAX} characters`);
export const Password = z.string().min(1).max(1024);
const LinkToken = z.string().min(1).max(200);

export const SignUp = z
  .strictObject({ email: Email, password: NewPassword, accountName: Name.optional() })
  .meta({ id: "SignUp" });
export const SignIn = z.strictObject({ email: z.string().min(1).max(254), password: Password }).meta({ id: "SignIn" });
export const SignOut = z
  .strictObject({
    everywhere: z.boolean().default(false).meta({ description: "Whether all other sessions of the member end too." }),
  })
  .meta({ id: "SignOut" });
export const ChangePassword = z
  .strictObject({ currentPassword: Password, newPassword: NewPassword })
  .meta({ id: "ChangePassword" });

export const Claim = z
  .strictObject({ token: LinkToken, email: Email.optional(), password: NewPassword })
  .meta({ id: "Claim", description: "Claims the first account (with an e-mail address), or accepts an invitation." });
export const LinkCheck = z.strictObject({ token: LinkToken }).meta({ id: "LinkCheck" });
export const OpenLink = z
  .strictObject({
    kind: z.enum(["claim", "invite", "reset"]),
    email: z.string().nullable().meta({ description: "Null if the member chooses it when claiming the account." }),
  })
  .meta({ id: "OpenLink" });
export type OpenLink = z.infer<typeof OpenLink>;
export const Reset = z
  .union([z.strictObject({ email: Email }), z.strictObject({ token: LinkToken, password: NewPassword })])
  .meta({ id: "Reset", description: "With an e-mail address: requests a link. With a token: sets a new password." });

export const SecondFactorState = z.enum(["on", "off", "required"]).meta({
  description: "`required`: it is off, and operator routes reject the member until it is on.",
});

export const Me = z
  .strictObject({
    member: z.strictObject({
      id: idSchema("member"),
      email: z.string().nullable(),
      role: Role,
      isOperator: z.boolean(),
      secondFactor: SecondFactorState,
    }),
    account: z.strictObject({ id: idSchema("account"), name: z.string() }),
    signedInAt: Timestamp.meta({ description: "When this browser signed in." }),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

export const SecondFactorChallenge = z
  .strictObject({
    challenge: z.string().meta({ description: "Send it with the code to `/auth/sign-in/code`." }),
    expiresAt: Timestamp,
  })
  .meta({
    id: "SecondFactorChallenge",
    description: "The password is correct; a code of the second factor is required.",
  });
export type SecondFactorChallenge = z.infer<typeof SecondFactorChallenge>;

export const SignInOutcome = z.union([Me, SecondFactorChallenge]).meta({
  id: "SignInOutcome",
  description: "The signed-in member, or, for a member with a second factor, the challenge to answer with a code.",
});
export type SignInOutcome = z.infer<typeof SignInOutcome>;

export const Member = z
  .strictObject({
    id: idSchema("member"),
    email: z.string().nullable(),
    role: Role,
    isOperator: z.boolean(),
    status: z.enum(["active", "invited"]),
    createdAt: Timestamp,
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof Member>;

export const NewMember = z.strictObject({ email: Email, role: Role.default("member") }).meta({ id: "NewMember" });
export const InvitedMember = z
  .strictObject({
    ...Member.shape,
    inviteUrl: z.string().meta({ description: "The link for the invited person. It is shown only once." }),
    isMailed: z.boolean().meta({ description: "Whether the link was also sent by e-mail." }),
  })
  .meta({ id: "InvitedMember" });
export type InvitedMember = z.infer<typeof InvitedMember>;

export const MemberChanges = z.strictObject({ role: Role }).meta({ id: "MemberChanges" });

/** What the audit log records. An older installation may hold entries of actions that are no longer recorded. */
export type AuditAction =
  | "account.created"
  | "account.claimed"
  | "sign_in.succeeded"
  | "sign_in.failed"
  | "sign_in.ended"
  | "sign_in.code_asked"
  | "second_factor.enabled"
  | "second_factor.disabled"
  | "second_factor.reset"
  | "second_factor.recovery_codes_replaced"
  | "second_factor.refused"
  | "password.changed"
  | "password.change_failed"
  | "password.reset_requested"
  | "password.reset"
  | "api_key.created"
  | "api_key.revoked"
  | "member.invited"
  | "member.joined"
  | "member.role_changed"
  | "member.removed"
  | "agent.created"
  | "agent.published"
  | "agent.rolled_back"
  | "agent.deleted"
  | "agent.restored"
  | "suppression.added"
  | "suppression.imported"
  | "suppression.removed"
  | "settings.changed"
  | "alert_rules.changed"
  | "limits.changed"
  | "gate.changed"
  | "credit.added"
  | "credit.removed"
  | "webhook.created"
  | "webhook.changed"
  | "webhook.deleted"
  | "webhook.secret_shown"
  | "webhook.secret_rotated"
  | "webhook.replayed"
  | "mcp_server.created"
  | "mcp_server.changed"
  | "mcp_server.deleted"
  | "mcp_server.tools_approved"
  | "device_sign_in.approved"
  | "device_sign_in.denied"
  | "tool_secret.shown"
  | "tool_secret.rotated"
  | "recording.downloaded"
  | "recording.link_created"
  | "recordings.expired"
  | "transcripts.expired"
  | "call.listened_in"
  | "call.data_erased"
  | "call.shared"
  | "call.share_revoked"
  | "calls.removed"
  | "batch.created"
  | "batch.canceled"
  | "trunk.created"
  | "trunk.changed"
  | "trunk.removed"
  | "trunk.examined"
  | "route.created"
  | "route.changed"
  | "route.removed"
  | "rate.changed"
  | "rate.removed"
  | "rate.imported"
  | "rate.filled"
  | "provider.set"
  | "provider.changed"
  | "provider.removed"
  | "engine.examined"
  | "backup.written"
  | "backup.restored";

export const AuditEntry = z
  .strictObject({
    id: idSchema("audit"),
    createdAt: Timestamp,
    actor: z.string().meta({ description: "A member's id, a key's id, `operator` (command line) or `service`." }),
    actorName: z
      .string()
      .nullable()
      .meta({ description: "The member's e-mail address or the key's name, while they exist." }),
    action: z.string().meta({ example: "api_key.created" }),
    target: z.string().nullable(),
    ip: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;
export const AuditQuery = z.strictObject({
  ...PageQuery,
  action: z
    .string()
    .max(100)
    .regex(/^[a-z_]+(\.[a-z_.]+)?$/, "must be an action such as api_key.created, or its prefix, such as api_key")
    .optional()
    .meta({ description: "Only this action. `api_key` selects all actions that begin with `api_key.`." }),
  actor: z.string().min(1).max(100).optional().meta({ description: "Only actions of this actor." }),
  createdAfter: TimestampInput.optional(),
  createdBefore: TimestampInput.optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const OperatorAccount = z
  .strictObject({
    id: idSchema("account"),
    name: z.string(),
    createdAt: Timestamp,
    balance: z.string(),
    concurrencyMax: z.int(),
    callsPerSecond: z.number(),
    queuedMax: z.int(),
  })
  .meta({ id: "OperatorAccount" });
export type OperatorAccount = z.infer<typeof OperatorAccount>;

export const AccountCreditChange = z
  .strictObject({
    change: z.enum(["add", "remove"]),
    amount: UsdInput.refine((amount) => Number(amount) > 0, "must be greater than 0"),
    note: z.string().trim().max(200).default("").meta({ description: "The reason, shown in the account's ledger." }),
  })
  .meta({ id: "AccountCreditChange" });

export const OperatorAccountChanges = z
  .strictObject({
    concurrencyMax: z.int().min(0).max(10_000).optional(),
    callsPerSecond: z.number().min(0.01).max(1000).optional(),
    queuedMax: z.int().min(0).max(1_000_000).optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "OperatorAccountChanges" });
