import { changeWebhook } from "@parley/contract/routes/webhooks";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Power } from "lucide-react";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { useToast } from "../../ui/toast.tsx";
import { webhookKeys, webhookQuery } from "./webhook-queries.ts";

/** Switches an endpoint off and on again; a click takes either back. */
export function EndpointSwitch({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { id, mode } = endpoint;
  const switching = useMutation({
    mutationFn: (isEnabled: boolean) => send(changeWebhook, { params: { id }, mode, body: { isEnabled } }),
    onSuccess: async (changed, isEnabled) => {
      queries.setQueryData(webhookQuery(mode, id).queryKey, changed);
      toast({
        text: isEnabled ? "The endpoint is enabled." : "The endpoint is disabled. Events are held back for it.",
        undo: () => switching.mutate(!isEnabled),
        subject: `switch of ${id}`,
      });
      await Promise.all([
        queries.invalidateQueries({ queryKey: webhookKeys.lists }),
        queries.invalidateQueries({ queryKey: webhookKeys.one(id) }),
      ]);
    },
    onError: (error) => toast({ text: inWords(error) }),
  });
  return (
    <Button
      look={endpoint.isEnabled ? "secondary" : "primary"}
      isBusy={switching.isPending}
      onClick={() => switching.mutate(!endpoint.isEnabled)}
    >
      <Power aria-hidden="true" />
      {endpoint.isEnabled ? "Disable" : "Enable"}
    </Button>
  );
}
