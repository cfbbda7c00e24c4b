import type { AuditEntry } from "@parley/contract/accounts";
import { auditText } from "./text.ts";

const SENTENCES: Readonly<Record<string, string>> = auditText.sentences;

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
  if (actorName !== null) return actor.startsWith("key_") ? auditText.namedKey(actorName) : actorName;
  if (action === "sign_in.failed") return auditText.someone;
  if (actor === "service") return auditText.theService;
  if (actor === "operator" || BY_OPERATORS.has(action)) return auditText.anOperator;
  if (actor.startsWith("key_")) return auditText.aKey;
  return actor.startsWith("mem_") ? auditText.formerMember : actor;
}

/** The object, if it says more than an id. */
export function objectOf({ action, target, data }: Pick<AuditEntry, "action" | "target" | "data">): string | null {
  const text = (name: string) => (typeof data[name] === "string" ? data[name] : null);
  const named = (name: string | null) => (name === null || name === "" ? null : auditText.quoted(name));
  if (action === "agent.published" && typeof data["version"] === "number" && text("name") !== null)
    return auditText.versionOf(data["version"], auditText.quoted(text("name") ?? ""));
  if (action.startsWith("agent.")) return named(text("name")) ?? target;
  if (action.startsWith("batch.")) return named(text("name")) ?? target;
  if (action.startsWith("api_key.")) return named(text("name")) ?? target;
  if (action === "sign_in.failed") return text("email") ?? auditText.unknownMember;
  if (action === "member.joined" || /^(sign_in|password|second_factor)\./.test(action)) return null;
  if (action === "member.role_changed")
    return auditText.roleChanged(text("email") ?? target ?? "", text("from") ?? "", text("to") ?? "");
  if (action.startsWith("member.")) return text("email") ?? target;
  if (action.startsWith("webhook.")) return text("host") ?? target;
  if (action.startsWith("credit.")) return text("amount") ?? text("note");
  if (action === "suppression.imported") return auditText.numbers(Number(data["addedCount"]));
  if (
    action.startsWith("account.") ||
    action.startsWith("settings.") ||
    action.startsWith("limits.") ||
    action.startsWith("alert_rules.") ||
    action.endsWith(".expired") ||
    action === "calls.removed"
  )
    return null;
  return target;
}

interface AuditedChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const SETTING_NAMES: Readonly<Record<string, string>> = auditText.settings;
const FIELD_NAMES: Readonly<Record<string, string>> = auditText.fields;

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
  if (value === null || value === undefined) return auditText.none;
  if (typeof value === "boolean") return value ? auditText.yes : auditText.no;
  if (Array.isArray(value)) return value.length === 0 ? auditText.none : value.map(inWords).join("; ");
  if (!isRecord(value)) return String(value);
  if (typeof value["start"] === "string") return auditText.hours(value["start"], String(value["end"]));
  return Object.entries(value)
    .map(([name, each]) => `${FIELD_NAMES[name] ?? name} ${inWords(each)}`)
    .join(", ");
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
