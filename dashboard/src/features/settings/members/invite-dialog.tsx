import type { InvitedMember, Member } from "@parley/contract/accounts";
import { inviteMember, removeMember } from "@parley/contract/routes/members";
import { ROLES, type Role } from "@parley/contract/scopes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { membersQuery, ROLE_LABELS, ROLE_MEANINGS } from "./member-queries.ts";

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
      title={replaces ? "Make a new link" : "Invite somebody"}
      lead={
        replaces
          ? "The link from before stops working."
          : "They choose a password of their own by a link that works for seven days."
      }
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
        label="E-mail"
        type="email"
        autoComplete="off"
        required
        readOnly={isFixed}
        error={fields["email"]}
        {...register("email")}
      />
      <SelectField label="Role" hint={ROLE_MEANINGS[watch("role")]} {...register("role")}>
        {ROLES.toReversed().map((role) => (
          <option key={role} value={role}>
            {ROLE_LABELS[role]}
          </option>
        ))}
      </SelectField>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isPending}>
          {isFixed ? "Make the link" : "Invite"}
        </Button>
      </DialogActions>
    </form>
  );
}

function InviteLink({ invited, onClose }: { readonly invited: InvitedMember; onClose(): void }) {
  return (
    <Dialog isOpen onClose={onClose} isSticky title="Invited" lead={invited.email ?? ""}>
      <div className="space-y-5">
        <Notice tone={invited.isMailed ? "accent" : "warning"}>
          {invited.isMailed
            ? "The link was sent by mail. You can also hand it over yourself."
            : "No mail was sent. Hand this link over yourself; it is shown this once and works for seven days."}
        </Notice>
        <CopyField label="Link" value={invited.inviteUrl} />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
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
