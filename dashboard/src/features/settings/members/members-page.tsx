import type { InvitedMember, Member } from "@parley/contract/accounts";
import { changeMember, inviteMember, removeMember } from "@parley/contract/routes/members";
import { ROLES, type Role } from "@parley/contract/scopes";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus, Users } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { meQuery } from "../../../api/sign-in-state.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Select, SelectField, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog, Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { ForOwners, useIsOwner } from "../for-owners.tsx";
import { membersQuery } from "./member-queries.ts";
import { membersText } from "./text.ts";

/** Settings > Members: who belongs to the account, and their roles. */
export function MembersPage() {
  const isOwner = useIsOwner();
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title={membersText.members}
      lead={membersText.lead}
      actions={
        isOwner ? (
          <Button look="primary" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            {membersText.invite}
          </Button>
        ) : null
      }
    >
      <ForOwners what={membersText.forOwners}>
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
        <PagedList
          list={members}
          label={membersText.loadingMembers}
          empty={<EmptyState icon={<Users />} title={membersText.noMembers} text={membersText.emptyList} />}
        >
          {(rows) => <MemberList members={rows} onRemove={setRemoved} onInviteAgain={setInvitedAgain} />}
        </PagedList>
      </Card>
      <dl className="space-y-1 px-1 text-sm text-ink-soft">
        {(["owner", "member"] as const).map((role) => (
          <div key={role} className="flex gap-2">
            <dt className="font-medium text-ink">{membersText.roles[role]}</dt>
            <dd>{membersText.roleMeanings[role]}</dd>
          </div>
        ))}
      </dl>
      {removed ? <RemoveMemberDialog member={removed} onClose={() => setRemoved(null)} /> : null}
      {invitedAgain ? <InviteDialog replaces={invitedAgain} onClose={() => setInvitedAgain(null)} /> : null}
    </div>
  );
}

interface MemberListProps {
  readonly members: readonly Member[];
  onRemove(member: Member): void;
  onInviteAgain(member: Member): void;
}

function MemberList({ members, onRemove, onInviteAgain }: MemberListProps) {
  const { data: me } = useQuery(meQuery);
  return (
    <ul className="divide-y divide-line">
      {members.map((member) => {
        const isMe = member.id === me?.member.id;
        const name = member.email ?? membersText.notClaimedYet;
        return (
          <li key={member.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
                {isMe ? <Badge>{membersText.you}</Badge> : null}
                {member.isOperator ? <Badge tone="accent">{membersText.operator}</Badge> : null}
                {member.status === "invited" ? <Badge tone="warning">{membersText.invited}</Badge> : null}
              </p>
              <p className="text-sm text-ink-soft">
                {member.status === "invited"
                  ? membersText.invitedWhen(formatMoment(member.createdAt))
                  : membersText.hereSince(formatMoment(member.createdAt))}
              </p>
            </div>
            {isMe ? (
              <span className="text-sm text-ink-soft">{membersText.roles[member.role]}</span>
            ) : (
              <div className="flex flex-wrap items-center gap-2">
                <RoleChoice member={member} />
                {member.status === "invited" && member.email ? (
                  <Button onClick={() => onInviteAgain(member)} aria-label={membersText.newLinkFor(name)}>
                    {membersText.newLink}
                  </Button>
                ) : null}
                <Button onClick={() => onRemove(member)} aria-label={membersText.removeMember(name)}>
                  {membersText.remove}
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The role of a member. It takes effect immediately and can be undone by a click. */
function RoleChoice({ member }: { readonly member: Member }) {
  const queries = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (role: Role) => send(changeMember, { params: { id: member.id }, body: { role } }),
    onSuccess: ({ email }, role) => {
      const before = role === "owner" ? "member" : "owner";
      toast({
        text: role === "owner" ? membersText.nowOwner(email) : membersText.nowMember(email),
        undo: () => change.mutate(before),
        subject: `role:${member.id}`,
      });
    },
    onError: (error) => toast({ text: errorText(error) }),
    onSettled: () => queries.invalidateQueries(membersQuery),
  });
  return (
    <Select
      aria-label={membersText.roleOf(member.email)}
      className="w-32"
      // During the request the choice is shown as made.
      value={change.isPending ? change.variables : member.role}
      // A disabled control would lose the focus.
      aria-disabled={change.isPending}
      onChange={(event) => (change.isPending ? undefined : change.mutate(event.target.value as Role))}
    >
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {membersText.roles[role]}
        </option>
      ))}
    </Select>
  );
}

interface RemoveMemberDialogProps {
  readonly member: Member;
  onClose(): void;
}

function RemoveMemberDialog({ member, onClose }: RemoveMemberDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const isInvited = member.status === "invited";
  const name = member.email ?? membersText.notClaimedYet;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(removeMember, { params: { id: member.id } }),
    onSuccess: async () => {
      toast({ text: isInvited ? membersText.invitationRevoked : membersText.wasRemoved(name) });
      onClose();
      await queries.invalidateQueries(membersQuery);
    },
  });
  return (
    <ConfirmDialog
      title={isInvited ? membersText.revokeQuestion : membersText.removeQuestion(name)}
      lead={isInvited ? membersText.revokeConsequence : membersText.removeConsequence}
      keep={membersText.keep}
      confirm={isInvited ? membersText.revoke : membersText.remove}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}

interface Invitation {
  email: string;
  role: Role;
}

interface InviteDialogProps {
  /** An invitation whose link was lost: the new one replaces it. */
  readonly replaces?: Member;
  onClose(): void;
}

/** Invites a member and shows the link once. */
export function InviteDialog({ replaces, onClose }: InviteDialogProps) {
  const queries = useQueryClient();
  const [invited, setInvited] = useState<InvitedMember | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (body: Invitation) => {
      if (replaces) await takeBack(replaces.id);
      return send(inviteMember, { body: { ...body, email: body.email.trim() } });
    },
    onSuccess: setInvited,
    onSettled: () => queries.invalidateQueries(membersQuery),
    gcTime: 0,
  });
  if (invited) return <InviteLink invited={invited} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={replaces ? membersText.newLinkTitle : membersText.inviteTitle}
      lead={replaces ? membersText.newLinkLead : membersText.inviteLead}
    >
      <InviteFields
        start={{ email: replaces?.email ?? "", role: replaces?.role ?? "member" }}
        isFixed={replaces !== undefined}
        error={error}
        isPending={isPending}
        onSubmit={mutate}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface InviteFieldsProps {
  readonly start: Invitation;
  readonly isFixed: boolean;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(invitation: Invitation): void;
  onClose(): void;
}

function InviteFields({ start, isFixed, error, isPending, onSubmit, onClose }: InviteFieldsProps) {
  const { register, handleSubmit, watch } = useForm<Invitation>({ defaultValues: start });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <form className="space-y-4" noValidate onSubmit={handleSubmit((form) => onSubmit(form))}>
      {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <TextField
        label={membersText.email}
        type="email"
        autoComplete="off"
        required
        readOnly={isFixed}
        error={fields["email"]}
        {...register("email")}
      />
      <SelectField label={membersText.role} hint={membersText.roleMeanings[watch("role")]} {...register("role")}>
        {ROLES.toReversed().map((role) => (
          <option key={role} value={role}>
            {membersText.roles[role]}
          </option>
        ))}
      </SelectField>
      <DialogActions>
        <Button onClick={onClose}>{membersText.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isPending}>
          {isFixed ? membersText.createLink : membersText.invite}
        </Button>
      </DialogActions>
    </form>
  );
}

function InviteLink({ invited, onClose }: { readonly invited: InvitedMember; onClose(): void }) {
  return (
    <Dialog isOpen onClose={onClose} isSticky title={membersText.invited} lead={invited.email ?? ""}>
      <div className="space-y-5">
        <Notice tone={invited.isMailed ? "accent" : "warning"}>
          {invited.isMailed ? membersText.linkMailed : membersText.linkNotMailed}
        </Notice>
        <CopyField label={membersText.link} value={invited.inviteUrl} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {membersText.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** One that is already gone, as after a failed first attempt, counts as revoked. */
async function takeBack(id: string): Promise<void> {
  try {
    await send(removeMember, { params: { id } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
  }
}
