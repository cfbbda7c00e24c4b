import { testWebhook } from "@parley/contract/routes/webhooks";
import type { DeliveryDetails } from "@parley/contract/webhook-deliveries";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { useEffect } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { webhooksText } from "./text.tsx";
import { deliveryQuery, webhookKeys } from "./webhook-queries.ts";

const LOOK_AGAIN_MS = 500;

/** Sends a test event and shows the result. */
export function TestEndpoint({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const queries = useQueryClient();
  const { id, mode } = endpoint;
  const test = useMutation({ mutationFn: () => send(testWebhook, { params: { id }, mode, body: {} }) });
  const { data: delivery } = useQuery({
    ...deliveryQuery(mode, id, test.data?.id ?? ""),
    enabled: test.data !== undefined,
    refetchInterval: ({ state: { data } }) => (data && data.attemptCount > 0 ? false : LOOK_AGAIN_MS),
  });
  const isWaiting = test.isPending || (test.data !== undefined && !(delivery && delivery.attemptCount > 0));
  const outcome = delivery?.attempts[0]?.startedAt;
  useEffect(() => {
    if (outcome) void queries.invalidateQueries({ queryKey: webhookKeys.one(id) });
  }, [queries, id, outcome]);
  return (
    <Card
      title={webhooksText.test}
      aside={
        <Button size="small" onClick={() => test.mutate()} isBusy={isWaiting}>
          <Send aria-hidden="true" />
          {webhooksText.sendATest}
        </Button>
      }
    >
      <div role="status" className="text-sm text-ink-soft">
        {test.error ? <Notice tone="danger">{errorText(test.error)}</Notice> : null}
        {isWaiting ? webhooksText.waitingForAnswer : null}
        {!isWaiting && delivery ? <Outcome delivery={delivery} /> : null}
        {!isWaiting && !delivery && !test.error ? webhooksText.testLead : null}
      </div>
    </Card>
  );
}

function Outcome({ delivery }: { readonly delivery: DeliveryDetails }) {
  const [attempt] = delivery.attempts;
  if (!attempt) return null;
  const again = delivery.status === "pending" && delivery.nextAttemptAt ? formatMoment(delivery.nextAttemptAt) : null;
  return (
    <Notice
      tone={attempt.isSuccess ? "accent" : "warning"}
      action={
        <Link
          to="/settings/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ webhookId: delivery.webhookId, deliveryId: delivery.id }}
          className={buttonClass({ size: "small" })}
        >
          {webhooksText.details}
        </Link>
      }
    >
      {attempt.isSuccess
        ? webhooksText.testAccepted(attempt.status, attempt.latencyMs)
        : webhooksText.testRefused(apiText.wordSentence(attempt.reason), again)}
    </Notice>
  );
}
