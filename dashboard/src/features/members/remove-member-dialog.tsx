import type { Member } from "@parley/contract/accounts";
import { removeMember } from "@parley/contract/routes/members";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../../api/send.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useToast } from "../../ui/toast.tsx";
import { membersQuery } from "./member-queries.ts";

interface RemoveMemberDialogProps {
  readonly member: Member;
  onClose(): void;
}

export function RemoveMemberDialog({ member, onClose }: RemoveMemberDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const isInvited = member.status === "invited";
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(removeMember, { params: { id: member.id } }),
    onSuccess: async () => {
      toast({ text: isInvited ? "The invitation was taken back." : `${member.email} was removed.` });
      onClose();
      await queries.invalidateQueries(membersQuery);
    },
  });
  return (
    <ConfirmDialog
      title={isInvited ? "Take back the invitation?" : `Remove ${member.email}?`}
      lead={
        isInvited
          ? "Its link stops working at once. You can invite them again."
          : "They are signed out everywhere with their next request. Keys they made go on working. You can invite them again."
      }
      keep="Keep"
      confirm={isInvited ? "Take it back" : "Remove"}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
