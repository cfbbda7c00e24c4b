import type { Member } from "@parley/contract/accounts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Paged } from "../../ui/paged.tsx";
import { ForOwners } from "../settings/for-owners.tsx";
import { useIsOwner } from "../settings/use-is-owner.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberList } from "./member-list.tsx";
import { membersQuery } from "./member-queries.ts";
import { RemoveMemberDialog } from "./remove-member-dialog.tsx";
import { ROLE_MEANINGS, ROLE_WORDS } from "./role-words.ts";

/** Settings > Members: who belongs to the account, and as what. */
export function MembersPage() {
  const isOwner = useIsOwner();
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title="Members"
      lead="Everybody here works with the same calls, agents and credit."
      actions={
        isOwner ? (
          <Button look="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            Invite
          </Button>
        ) : null
      }
    >
      <ForOwners what="who belongs to it">
        <People />
      </ForOwners>
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}

function People() {
  const members = useInfiniteQuery(membersQuery);
  const [removed, setRemoved] = useState<Member | null>(null);
  const [invitedAgain, setInvitedAgain] = useState<Member | null>(null);
  return (
    <div className="space-y-6">
      <Card isFlush>
        <Paged
          list={members}
          label="Fetching the members"
          empty={<EmptyState icon={<Users />} title="Nobody" text="Invite somebody by link." />}
        >
          {(rows) => <MemberList members={rows} onRemove={setRemoved} onInviteAgain={setInvitedAgain} />}
        </Paged>
      </Card>
      <dl className="space-y-1 px-1 text-sm text-ink-soft">
        {(["owner", "member"] as const).map((role) => (
          <div key={role} className="flex gap-2">
            <dt className="font-medium text-ink">{ROLE_WORDS[role]}</dt>
            <dd>{ROLE_MEANINGS[role]}</dd>
          </div>
        ))}
      </dl>
      {removed ? <RemoveMemberDialog member={removed} onClose={() => setRemoved(null)} /> : null}
      {invitedAgain ? <InviteDialog replaces={invitedAgain} onClose={() => setInvitedAgain(null)} /> : null}
    </div>
  );
}
