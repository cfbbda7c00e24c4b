import { changeWebhook } from "@parley/contract/routes/webhooks";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../../api/send.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useToast } from "../../ui/toast.tsx";
import { EndpointFields } from "./endpoint-fields.tsx";
import type { EndpointWish } from "./endpoint-form.ts";
import { webhookKeys, webhookQuery } from "./webhook-queries.ts";

interface EditEndpointDialogProps {
  readonly endpoint: WebhookEndpoint;
  onClose(): void;
}

export function EditEndpointDialog({ endpoint, onClose }: EditEndpointDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const { id, mode } = endpoint;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: EndpointWish) => send(changeWebhook, { params: { id }, mode, body }),
    onSuccess: async (changed) => {
      queries.setQueryData(webhookQuery(mode, id).queryKey, changed);
      toast({ text: "The endpoint was changed." });
      onClose();
      await queries.invalidateQueries({ queryKey: webhookKeys.lists });
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Edit endpoint" lead="What is on its way goes to the new address too.">
      <EndpointFields endpoint={endpoint} error={error} isPending={isPending} onSubmit={mutate} onClose={onClose} />
    </Dialog>
  );
}
