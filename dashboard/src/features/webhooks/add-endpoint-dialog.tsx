import { createWebhook } from "@parley/contract/routes/webhooks";
import type { CreatedWebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { send } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { EndpointFields } from "./endpoint-fields.tsx";
import type { EndpointWish } from "./endpoint-form.ts";
import { webhookKeys } from "./webhook-queries.ts";

/** Adds an endpoint and shows the secret that its events are signed with. */
export function AddEndpointDialog({ onClose }: { onClose(): void }) {
  const { mode } = useMode();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [created, setCreated] = useState<CreatedWebhookEndpoint | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: EndpointWish) => send(createWebhook, { body, mode }),
    onSuccess: async (endpoint) => {
      setCreated(endpoint);
      await queries.invalidateQueries({ queryKey: webhookKeys.lists });
    },
    gcTime: 0,
  });
  const open = (webhookId: string) => {
    onClose();
    void navigate({ to: "/settings/webhooks/$webhookId", params: { webhookId } });
  };
  if (!created) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="Add endpoint"
        lead={mode === "test" ? "It gets the events of test calls." : "It gets the events of live calls."}
      >
        <EndpointFields endpoint={null} error={error} isPending={isPending} onSubmit={mutate} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="The endpoint is there"
      lead="Give your receiver this secret, so that it can tell our requests from others. You find it on the endpoint's page whenever you need it."
    >
      <CopyField label="Signing secret" value={created.secret} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" onClick={() => open(created.id)}>
          Open the endpoint
        </Button>
      </DialogActions>
    </Dialog>
  );
}
