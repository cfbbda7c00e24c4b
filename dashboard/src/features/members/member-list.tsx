import type { Member } from "@parley/contract/accounts";
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/sign-in-state.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { formatMoment } from "../../ui/format.ts";
import { RoleChoice } from "./role-choice.tsx";
import { ROLE_WORDS } from "./role-words.ts";

interface MemberListProps {
  readonly members: readonly Member[];
  onRemove(member: Member): void;
  onInviteAgain(member: Member): void;
}

export function MemberList({ members, onRemove, onInviteAgain }: MemberListProps) {
  const { data: me } = useQuery(meQuery);
  return (
    <ul className="divide-y divide-line">
      {members.map((member) => {
        const isMe = member.id === me?.member.id;
        const name = member.email ?? "Not claimed yet";
        return (
          <li key={member.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
                {isMe ? <Badge>You</Badge> : null}
                {member.isOperator ? <Badge tone="accent">Operator</Badge> : null}
                {member.status === "invited" ? <Badge tone="warning">Invited</Badge> : null}
              </p>
              <p className="text-sm text-ink-soft">
                {member.status === "invited"
                  ? `Invited ${formatMoment(member.createdAt)}. The link works for seven days.`
                  : `Here since ${formatMoment(member.createdAt)}`}
              </p>
            </div>
            {isMe ? (
              <span className="text-sm text-ink-soft">{ROLE_WORDS[member.role]}</span>
            ) : (
              <div className="flex flex-wrap items-center gap-2">
                <RoleChoice member={member} />
                {member.status === "invited" && member.email ? (
                  <Button onClick={() => onInviteAgain(member)} aria-label={`New link for ${name}`}>
                    New link
                  </Button>
                ) : null}
                <Button onClick={() => onRemove(member)} aria-label={`Remove ${name}`}>
                  Remove
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
