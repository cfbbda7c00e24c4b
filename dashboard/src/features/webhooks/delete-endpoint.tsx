import { deleteWebhook } from "@parley/contract/routes/webhooks";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useToast } from "../../ui/toast.tsx";
import { webhookKeys } from "./webhook-queries.ts";

/** Its secret is forgotten at once, so that deleting is asked about and not undone. */
export function DeleteEndpoint({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const { id, mode } = endpoint;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(deleteWebhook, { params: { id }, mode }),
    onSuccess: async () => {
      await navigate({ to: "/settings/webhooks" });
      queries.removeQueries({ queryKey: webhookKeys.one(id) });
      toast({ text: "The endpoint was deleted." });
      await queries.invalidateQueries({ queryKey: webhookKeys.lists });
    },
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-2xl border border-line px-4 py-4 sm:px-5">
      <p className="min-w-0 flex-1 basis-64 text-sm text-ink-soft">
        An endpoint that is not needed for a while can be disabled instead.
      </p>
      <Button onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete endpoint
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title="Delete this endpoint?"
          lead={
            <>
              Nothing more is sent to <span className="break-all">{endpoint.url}</span>. Its secret and what was on its
              way there are gone; this cannot be undone.
            </>
          }
          keep="Keep it"
          confirm="Delete it"
          isBusy={isPending}
          error={error}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}
