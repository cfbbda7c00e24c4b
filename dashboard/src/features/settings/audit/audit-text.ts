import type { AuditEntry } from "@parley/contract/accounts";

/** The filter options of the log, by prefix of the action names. */
export const AUDIT_TOPICS: Readonly<Record<string, string>> = {
  sign_in: "Signing in and out",
  password: "Passwords",
  second_factor: "Two-factor authentication",
  member: "Members",
  api_key: "API keys",
  agent: "Agents",
  webhook: "Webhooks",
  suppression: "Suppression list",
  settings: "Settings",
  limits: "Limits",
  credit: "Credit",
  recording: "Listening to recordings",
  recordings: "Recordings erased in time",
  transcripts: "Transcripts erased in time",
  call: "Calls",
  batch: "Batches",
  tool_secret: "Secret of tools",
  account: "The account",
  trunk: "Trunks",
  route: "Routes",
  rate: "Rates",
  provider: "Providers",
  engine: "Engines",
  gate: "Who may be called",
};

const SENTENCES: Readonly<Record<string, string>> = {
  "account.created": "created the account",
  "account.claimed": "claimed the account",
  "sign_in.succeeded": "signed in",
  "sign_in.failed": "failed to sign in as",
  "sign_in.ended": "signed out, or ended a session",
  "sign_in.code_asked": "gave the right password and was asked for a code",
  "second_factor.enabled": "turned on two-factor authentication",
  "second_factor.disabled": "turned off two-factor authentication",
  "second_factor.reset": "turned off a member's two-factor authentication",
  "second_factor.recovery_codes_replaced": "created new recovery codes",
  "second_factor.refused": "gave a wrong password for two-factor authentication",
  "password.changed": "changed their password",
  "password.change_failed": "failed to change their password",
  "password.reset_requested": "asked for a link to reset the password",
  "password.reset": "set a new password by link",
  "api_key.created": "created the key",
  "api_key.revoked": "revoked the key",
  "member.invited": "invited",
  "member.joined": "joined the account",
  "member.role_changed": "changed the role of",
  "member.removed": "removed",
  "agent.published": "published an agent version",
  "agent.rolled_back": "rolled back the agent",
  "agent.deleted": "deleted an agent",
  "suppression.added": "put {} on the suppression list",
  "suppression.imported": "imported {} into the suppression list",
  "suppression.removed": "took {} off the suppression list",
  "settings.changed": "changed settings",
  "alert_rules.changed": "changed what raises alerts",
  "limits.changed": "changed the limits of the account",
  "gate.changed": "changed who may be called",
  "credit.added": "added credit",
  "credit.removed": "took back credit",
  "webhook.created": "added an endpoint at",
  "webhook.changed": "changed the endpoint at",
  "webhook.deleted": "deleted an endpoint",
  "webhook.secret_shown": "looked at the secret of an endpoint",
  "webhook.secret_rotated": "rotated the secret of an endpoint",
  "webhook.replayed": "sent events again to an endpoint",
  "mcp_server.created": "added the MCP server",
  "mcp_server.changed": "changed the MCP server",
  "mcp_server.deleted": "removed an MCP server",
  "mcp_server.tools_approved": "decided which tools of an MCP server agents may use",
  "device_sign_in.approved": "let a command line in",
  "device_sign_in.denied": "refused a command line",
  "tool_secret.shown": "looked at the secret of tools",
  "tool_secret.rotated": "rotated the secret of tools",
  "recording.downloaded": "played or downloaded a recording",
  "recording.link_created": "created a link to a recording",
  "recordings.expired": "erased recordings that were kept long enough",
  "transcripts.expired": "erased transcripts that were kept long enough",
  "call.listened_in": "listened in on a call",
  "call.data_erased": "erased what was said in a call",
  "call.shared": "created a link to share a call",
  "call.share_revoked": "revoked a link to a call",
  "batch.created": "created the batch",
  "batch.canceled": "canceled the batch",
  "trunk.created": "added a trunk",
  "trunk.changed": "changed a trunk",
  "trunk.removed": "removed a trunk",
  "trunk.examined": "examined a trunk",
  "route.created": "added a route",
  "route.changed": "changed a route",
  "route.removed": "removed a route",
  "rate.changed": "set the rate of",
  "rate.removed": "removed the rate of",
  "rate.imported": "imported a price list",
  "rate.filled": "filled in missing rates",
  "provider.set": "set the key of the provider",
  "provider.changed": "changed the provider",
  "provider.removed": "removed the key of the provider",
  "engine.examined": "tried the engine",
};

/**
 * What was done, following the name of the actor, in two halves around the object. An action of a later release is
 * shown by its own name.
 */
export function deedOf({ action }: Pick<AuditEntry, "action">): readonly [before: string, after: string] {
  const [before = "", after = ""] = (SENTENCES[action] ?? action.replaceAll(/[._]/g, " ")).split("{}");
  return [before.trim(), after.trim()];
}

const BY_OPERATORS = new Set(["limits.changed", "gate.changed"]);

/** The actor. A member without a name belongs to another account, as operators do, or has left this one. */
export function actorOf({ actor, actorName, action }: Pick<AuditEntry, "actor" | "actorName" | "action">): string {
  if (actorName !== null) return actor.startsWith("key_") ? `The key “${actorName}”` : actorName;
  if (action === "sign_in.failed") return "Someone";
  if (actor === "service") return "The service";
  if (actor === "operator" || BY_OPERATORS.has(action)) return "An operator";
  if (actor.startsWith("key_")) return "A key";
  return actor.startsWith("mem_") ? "A former member" : actor;
}

/** The object, if it says more than an id. */
export function objectOf({ action, target, data }: Pick<AuditEntry, "action" | "target" | "data">): string | null {
  const text = (name: string) => (typeof data[name] === "string" ? data[name] : null);
  if (action === "agent.rolled_back") return text("name") ? `“${text("name")}”` : target;
  if (action.startsWith("batch.")) return text("name") ? `“${text("name")}”` : target;
  if (action.startsWith("api_key.")) return text("name") ? `“${text("name")}”` : target;
  if (action === "sign_in.failed") return text("email") ?? "a member";
  if (action === "member.joined" || /^(sign_in|password|second_factor)\./.test(action)) return null;
  if (action === "member.role_changed") return `${text("email") ?? target}: ${text("from")} → ${text("to")}`;
  if (action.startsWith("member.")) return text("email") ?? target;
  if (action.startsWith("webhook.")) return text("host") ?? target;
  if (action.startsWith("credit.")) return text("amount") ?? text("note");
  if (action === "suppression.imported")
    return data["addedCount"] === 1 ? "1 number" : `${String(data["addedCount"])} numbers`;
  if (
    action.startsWith("account.") ||
    action.startsWith("settings.") ||
    action.startsWith("limits.") ||
    action.startsWith("alert_rules.") ||
    action.endsWith(".expired")
  )
    return null;
  return target;
}

interface AuditedChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const SETTING_NAMES: Readonly<Record<string, string>> = {
  version: "Version that new calls use",
  dailySpendCap: "All calls in a day",
  callSpendCap: "One call",
  destinationSpendCap: "One number in a day",
  creditLowAt: "Warn when the credit falls below",
  callingHours: "Calling hours",
  retentionDays: "Retention",
  disclosure: "Disclosure",
  pronunciations: "Pronunciations",
  answerRate: "Answer rate",
  incidents: "Problems on our side",
  creditLow: "Credit",
  quietMinutes: "Minutes between alerts",
  emailOwners: "E-mail to owners",
  concurrencyMax: "Concurrent calls",
  callsPerSecond: "New calls per second",
  queuedMax: "Queued calls",
};

/** The values before and after, if the entry has them: by setting, or all of them at once. */
export function changesOf({ data }: Pick<AuditEntry, "data">): AuditedChange[] {
  const { from, to } = data;
  if (isRecord(from) && isRecord(to)) {
    return Object.keys(to)
      .filter((name) => inWords(from[name]) !== inWords(to[name]))
      .map((name) => ({ name: SETTING_NAMES[name] ?? name, from: inWords(from[name]), to: inWords(to[name]) }));
  }
  return Object.entries(data).flatMap(([name, change]) =>
    isRecord(change) && "from" in change && "to" in change
      ? [{ name: SETTING_NAMES[name] ?? name, from: inWords(change["from"]), to: inWords(change["to"]) }]
      : [],
  );
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(inWords).join("; ");
  if (!isRecord(value)) return String(value);
  if (typeof value["start"] === "string") return `${value["start"]} to ${String(value["end"])}`;
  return Object.entries(value)
    .map(([name, each]) => `${name} ${inWords(each)}`)
    .join(", ");
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
