import type { ApiKey } from "@parley/contract/api-keys";
import { revokeApiKey } from "@parley/contract/routes/members";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useToast } from "../../ui/toast.tsx";
import { keysQuery } from "./key-queries.ts";

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  onClose(): void;
}

/** Asks before a key is revoked: it cannot be taken back. */
export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(revokeApiKey, { params: { id: apiKey.id } }),
    onSuccess: async () => {
      await queries.invalidateQueries(keysQuery);
      toast({ text: `“${apiKey.name}” was revoked.` });
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      lead="Programs that use it are refused within a second. This cannot be undone; calls that are under way go on."
    >
      {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" onClick={() => mutate()} isBusy={isPending}>
          Revoke the key
        </Button>
      </DialogActions>
    </Dialog>
  );
}
