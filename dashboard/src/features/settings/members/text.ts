import type { Role } from "@parley/contract/scopes";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // member-queries.ts
  roles: { owner: "Owner", member: "Member" } satisfies Record<Role, string>,
  roleMeanings: {
    owner: "Can do everything, including members, caps, settings and the audit log.",
    member: "Works with calls, agents, keys and webhooks.",
  } satisfies Record<Role, string>,

  // members-page.tsx
  members: "Members",
  lead: "Members share the account’s calls, agents and credit.",
  invite: "Invite",
  forOwners: "its members",
  loadingMembers: "Loading members",
  noMembers: "No members",
  emptyList: "Invite someone with a link.",
  notClaimedYet: "Not claimed yet",
  you: "You",
  operator: "Operator",
  invited: "Invited",
  invitedWhen: (when: string) => `Invited ${when}. The link works for seven days.`,
  hereSince: (when: string) => `Joined ${when}`,
  newLinkFor: (name: string) => `New link for ${name}`,
  newLink: "New link",
  remove: "Remove",
  removeMember: (name: string) => `Remove ${name}`,
  nowOwner: (email: string | null) => `${email ?? "The member"} is now an owner.`,
  nowMember: (email: string | null) => `${email ?? "The member"} is now a member.`,
  roleOf: (email: string | null) => `Role of ${email ?? "the member"}`,
  invitationRevoked: "Invitation revoked.",
  wasRemoved: (email: string) => `${email} was removed.`,
  revokeQuestion: "Revoke the invitation?",
  removeQuestion: (email: string) => `Remove ${email}?`,
  revokeConsequence: "Its link stops working immediately. You can invite them again.",
  removeConsequence:
    "They are signed out everywhere immediately. Keys they created keep working. You can invite them again.",
  keep: "Keep",
  revoke: "Revoke",
  newLinkTitle: "Create a new link",
  inviteTitle: "Invite a member",
  newLinkLead: "The previous link stops working.",
  inviteLead: "They choose their own password through a link that works for seven days.",
  email: "Email",
  role: "Role",
  cancel: "Cancel",
  createLink: "Create link",
  linkMailed: "The link was sent by email. You can also send it yourself.",
  linkNotMailed: "No email was sent. Send them this link yourself; it is shown only once and works for seven days.",
  link: "Link",
  done: "Done",
};

export type MembersText = typeof english;

export const membersText = inLanguage("settings/members", english);
