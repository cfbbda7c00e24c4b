import type { Role } from "@parley/contract/scopes";

export const ROLE_WORDS: Readonly<Record<Role, string>> = { owner: "Owner", member: "Member" };

export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  owner: "Does everything, also members, caps, settings and the audit log.",
  member: "Works with calls, agents, keys and webhooks.",
};
