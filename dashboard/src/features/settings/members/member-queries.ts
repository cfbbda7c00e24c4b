import { listMembers } from "@parley/contract/routes/members";
import type { Role } from "@parley/contract/scopes";
import { pagesOf } from "../../../api/send.ts";

export const membersQuery = pagesOf(["members"], listMembers);

export const ROLE_LABELS: Readonly<Record<Role, string>> = { owner: "Owner", member: "Member" };

export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  owner: "Does everything, also members, caps, settings and the audit log.",
  member: "Works with calls, agents, keys and webhooks.",
};
