import { replayDelivery } from "@parley/contract/routes/webhooks";
import type { DeliveryAttempt, DeliveryDetails } from "@parley/contract/webhook-deliveries";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, RotateCcw } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { useMode } from "../../../app/mode.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { NoEndpoint } from "./no-endpoint.tsx";
import { webhooksText } from "./text.tsx";
import { badgeOfDelivery } from "./webhook-labels.ts";
import { deliveryQuery, webhookKeys } from "./webhook-queries.ts";

const route = getRouteApi("/signed-in/settings/webhooks/$webhookId/deliveries/$deliveryId");
const LOOK_AGAIN_MS = 1500;

/** One delivery: what was sent, and the result of each attempt. */
export function DeliveryPage() {
  const { mode } = useMode();
  const { webhookId, deliveryId } = route.useParams();
  const { data, error } = useQuery({
    ...deliveryQuery(mode, webhookId, deliveryId),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? LOOK_AGAIN_MS : false),
  });
  return (
    <Page
      title={webhooksText.delivery}
      above={
        <Link
          to="/settings/webhooks/$webhookId"
          params={{ webhookId }}
          className="mb-2 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {webhooksText.theEndpoint}
        </Link>
      }
      lead={data ? webhooksText.eventMeanings[data.eventType] : undefined}
      actions={data ? <SendAgain delivery={data} /> : null}
    >
      {data ? <Details delivery={data} /> : null}
      {!data && !error ? <SkeletonRows count={4} label={webhooksText.loadingDelivery} /> : null}
      {error ? <NoEndpoint error={error} mode={mode} /> : null}
    </Page>
  );
}

function SendAgain({ delivery }: { readonly delivery: DeliveryDetails }) {
  const { mode } = useMode();
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(replayDelivery, { params: { id: delivery.id }, mode, body: {} }),
    onSuccess: async () => {
      toast({ text: webhooksText.sentAgain });
      await queries.invalidateQueries({ queryKey: webhookKeys.one(delivery.webhookId) });
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (
    <Button look="primary" onClick={() => mutate()} isBusy={isPending}>
      <RotateCcw aria-hidden="true" />
      {webhooksText.sendAgain}
    </Button>
  );
}

function Details({ delivery }: { readonly delivery: DeliveryDetails }) {
  const badge = badgeOfDelivery(delivery);
  const { callId, nextAttemptAt, deliveredAt } = delivery;
  const facts = [
    { name: webhooksText.state, value: <Badge tone={badge.tone}>{badge.text}</Badge> },
    { name: webhooksText.event, value: <code className="text-[0.8125rem]">{delivery.eventType}</code> },
    { name: webhooksText.eventId, value: <code className="text-[0.8125rem] break-all">{delivery.eventId}</code> },
    callId
      ? {
          name: webhooksText.call,
          value: (
            <Link to="/calls/$callId" params={{ callId }} className="break-all text-accent-text underline">
              {callId}
            </Link>
          ),
        }
      : null,
    { name: webhooksText.happened, value: formatFull(delivery.createdAt) },
    deliveredAt ? { name: webhooksText.accepted, value: formatFull(deliveredAt) } : null,
    delivery.status === "pending" && nextAttemptAt
      ? { name: webhooksText.nextTry, value: formatFull(nextAttemptAt) }
      : null,
  ];
  return (
    <div className="space-y-6">
      <Card title={webhooksText.about}>
        <Facts facts={facts.filter((fact) => fact !== null)} />
      </Card>
      <Card title={webhooksText.attempts} isFlush>
        {delivery.attempts.length === 0 ? (
          <p className="px-4 pb-5 text-sm text-ink-soft sm:px-5">{webhooksText.noAttempts}</p>
        ) : (
          <ol className="mt-2 divide-y divide-line border-t border-line">
            {delivery.attempts.map((attempt) => (
              <Attempt key={attempt.ordinal} attempt={attempt} />
            ))}
          </ol>
        )}
      </Card>
      <Card title={webhooksText.whatIsSent}>
        <CopyField label={webhooksText.body} value={delivery.body} shown={indent(delivery.body)} isLong />
      </Card>
    </div>
  );
}

function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const { ordinal, startedAt, latencyMs, isSuccess, status, reason, responseBody } = attempt;
  return (
    <li className="space-y-2 px-4 py-4 text-sm sm:px-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{webhooksText.attempt(ordinal)}</span>
        <Badge tone={isSuccess ? "accent" : "danger"}>{status ?? webhooksText.noAnswer}</Badge>
        <span className="text-ink-soft tabular-nums">{`${latencyMs} ms`}</span>
        <span className="ml-auto text-ink-soft tabular-nums">{formatFull(startedAt)}</span>
      </p>
      <p className="break-words">{apiText.wordSentence(reason)}</p>
      {responseBody ? (
        <details>
          <summary className="text-ink-soft">{webhooksText.whatWasAnswered}</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what is too long is scrolled to, also by keyboard.
            tabIndex={0}
            className="mt-2 max-h-64 overflow-auto rounded-lg bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] leading-5 break-all whitespace-pre-wrap"
          >
            {responseBody}
          </pre>
        </details>
      ) : null}
    </li>
  );
}

/** Formatted for reading; copying yields the exact bytes that were sent. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
