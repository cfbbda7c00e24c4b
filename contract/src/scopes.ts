import { z } from "zod";

/** The scopes of a key, in the words of the API reference. */
export const SCOPE_MEANINGS = {
  "calls:write": "Place and hang up calls",
  "calls:read": "See calls and their events",
  "transcripts:read": "Read transcripts",
  "recordings:read": "Hear recordings",
  "agents:write": "Create, change and publish agents",
  "agents:read": "See agents and their versions",
  "engines:read": "See engines and voices",
  "webhooks:write": "Create and change webhook endpoints",
  "webhooks:read": "See webhook endpoints and deliveries",
  "billing:read": "See balance, ledger, rates and usage",
  "suppressions:write": "See and change the suppression list",
  "settings:read": "See caps, calling hours, retention and disclosure",
  "settings:write": "Change caps, calling hours, retention and disclosure",
  "audit:read": "See the audit log",
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;
export const SCOPES = Object.keys(SCOPE_MEANINGS) as [Scope, ...Scope[]];
export const Scope = z.enum(SCOPES).meta({ id: "Scope" });

/** Scopes for actions that only owners may perform: only owners can grant them. */
export const OWNER_SCOPES: readonly Scope[] = ["settings:read", "settings:write", "audit:read"];

export const ROLES = ["owner", "member"] as const;
export const Role = z.enum(ROLES).meta({ id: "Role" });
export type Role = z.infer<typeof Role>;

/** The scopes that a member of this role may grant. */
export function grantableScopes(role: Role): Scope[] {
  return role === "owner" ? [...SCOPES] : SCOPES.filter((scope) => !OWNER_SCOPES.includes(scope));
}
