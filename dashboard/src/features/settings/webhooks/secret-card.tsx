import { getWebhookSecret, rotateWebhookSecret } from "@parley/contract/routes/webhooks";
import type { WebhookEndpoint, WebhookSecret } from "@parley/contract/webhook-endpoints";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Eye, EyeOff, RotateCw } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { formatFull } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../../ui/layout/dialog.tsx";
import { webhookKeys } from "./webhook-queries.ts";

/** The secret that events are signed with: shown on request, and rotated with a day of overlap. */
export function SecretCard({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const queries = useQueryClient();
  const { id, mode } = endpoint;
  // Only stored here, and gone with the page.
  const [shown, setShown] = useState<WebhookSecret | null>(null);
  const [isAsking, setAsking] = useState(false);
  const reveal = useMutation({
    mutationFn: () => send(getWebhookSecret, { params: { id }, mode }),
    onSuccess: setShown,
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () => send(rotateWebhookSecret, { params: { id }, mode, body: {} }),
    onSuccess: async (secret) => {
      setShown(secret);
      setAsking(false);
      await queries.invalidateQueries({ queryKey: webhookKeys.one(id) });
    },
    gcTime: 0,
  });
  return (
    <Card title="Signing secret">
      <div className="space-y-4">
        <p className="text-sm text-ink-soft">
          Your receiver checks with it that a request is ours. Whoever sees it can write requests that look like ours;
          that it was shown is written into the audit log.
        </p>
        {reveal.error ? <Notice tone="danger">{errorText(reveal.error)}</Notice> : null}
        {endpoint.previousSecretUntil ? (
          <Notice tone="warning">
            Until {formatFull(endpoint.previousSecretUntil)} events are signed with the secret from before too. Give
            your receiver the new one by then.
          </Notice>
        ) : null}
        {shown ? <CopyField label="Secret" value={shown.secret} /> : null}
        {shown?.previousSecret ? <CopyField label="Secret from before" value={shown.previousSecret} /> : null}
        <div className="flex flex-wrap gap-2">
          {shown ? (
            <Button onClick={() => setShown(null)}>
              <EyeOff aria-hidden="true" />
              Hide
            </Button>
          ) : (
            <Button onClick={() => reveal.mutate()} isBusy={reveal.isPending}>
              <Eye aria-hidden="true" />
              Show the secret
            </Button>
          )}
          <Button onClick={() => setAsking(true)}>
            <RotateCw aria-hidden="true" />
            Rotate
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ConfirmDialog
          title="Make a new secret?"
          lead={
            endpoint.previousSecretUntil
              ? "There was a rotation within the last day. The secret from before it stops working at once; the one of now stays valid for 24 hours beside the new one."
              : "For 24 hours each request carries two signatures, one by the old secret and one by the new, so that a receiver that knows either accepts it. After that the old one is gone."
          }
          keep="Keep the secret"
          confirm="Rotate the secret"
          isHarmless={endpoint.previousSecretUntil === null}
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Card>
  );
}
