import type { Call } from "@parley/contract/calls";
import { listCallDeliveries, listWebhooks, replayDelivery } from "@parley/contract/routes/webhooks";
import type { Mode } from "@parley/contract/shared-fields";
import type { Delivery, DeliveryStatus } from "@parley/contract/webhook-deliveries";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RotateCw, Webhook } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { send, sendForPage } from "../../../api/send.ts";
import { callKeys } from "../../../app/live-keys.ts";
import { Badge, type Tone } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { callPageText } from "./text.tsx";

const STATUS: Readonly<Record<DeliveryStatus, { readonly tone: Tone; readonly text: string }>> = {
  pending: { tone: "accent", text: callPageText.onItsWay },
  delivered: { tone: "neutral", text: callPageText.delivered },
  failed: { tone: "danger", text: callPageText.failed },
  held: { tone: "warning", text: callPageText.held },
};
/** Polled while a delivery is pending: deliveries do not change the call. */
const LOOK_AGAIN_MS = 3000;

const deliveriesQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...callKeys.one(id), mode, "deliveries"],
    queryFn: async ({ signal }) => {
      const [deliveries, endpoints] = await Promise.all([
        sendForPage(listCallDeliveries, { params: { id }, mode, query: { limit: "100" }, signal }),
        sendForPage(listWebhooks, { mode, query: { limit: "100" }, signal }),
      ]);
      const urls = new Map(endpoints.rows.map((endpoint) => [endpoint.id, endpoint.url]));
      return deliveries.rows.map((delivery) => ({ delivery, url: urls.get(delivery.webhookId) ?? delivery.webhookId }));
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ delivery }) => delivery.status === "pending") ? LOOK_AGAIN_MS : false,
  });

/** The webhook deliveries of this call and their results. */
export function CallDeliveries({ call }: { readonly call: Call }) {
  const { data: sent, error } = useQuery(deliveriesQuery(call.mode, call.id));
  if (error)
    return (
      <div className="p-4">
        <Notice tone="danger">{errorText(error)}</Notice>
      </div>
    );
  if (!sent) return <SkeletonRows count={3} label={callPageText.loadingDeliveries} />;
  if (sent.length === 0) {
    return <EmptyState icon={<Webhook />} title={callPageText.noWebhooksSent} text={callPageText.noWebhooksSentHint} />;
  }
  return (
    <ul className="divide-y divide-line">
      {sent.map(({ delivery, url }) => (
        <li key={delivery.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm sm:px-5">
          <div className="min-w-0 flex-1 basis-56">
            <p className="flex flex-wrap items-center gap-2">
              <Link
                to="/settings/webhooks/$webhookId/deliveries/$deliveryId"
                params={{ webhookId: delivery.webhookId, deliveryId: delivery.id }}
                className="font-mono text-[0.8125rem] underline underline-offset-4"
              >
                {delivery.eventType}
              </Link>
              <Badge tone={STATUS[delivery.status].tone}>{STATUS[delivery.status].text}</Badge>
            </p>
            <p className="truncate text-ink-soft" title={url}>
              {url}
            </p>
            <p className="text-xs break-words text-ink-soft">{whatCameOfIt(delivery)}</p>
          </div>
          <time
            dateTime={delivery.createdAt}
            title={formatFull(delivery.createdAt)}
            className="text-xs text-ink-soft tabular-nums"
          >
            {formatMoment(delivery.createdAt)}
          </time>
          <Replay call={call} delivery={delivery} />
        </li>
      ))}
    </ul>
  );
}

function Replay({ call, delivery }: { readonly call: Call; readonly delivery: Delivery }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(replayDelivery, { params: { id: delivery.id }, mode: call.mode, body: {} }),
    onSuccess: () => queries.invalidateQueries(deliveriesQuery(call.mode, call.id)),
    onError: (error) => toast({ text: errorText(error) }),
  });
  if (delivery.status === "pending") return null;
  return (
    <Button
      size="small"
      onClick={() => mutate()}
      isBusy={isPending}
      aria-label={callPageText.sendAgainNamed(delivery.eventType)}
    >
      <RotateCw aria-hidden="true" />
      {callPageText.sendAgain}
    </Button>
  );
}

function whatCameOfIt({ attemptCount, lastStatus, lastReason, nextAttemptAt, status }: Delivery): string {
  const attempts = callPageText.attempts(attemptCount);
  const answer = lastStatus === null ? lastReason : callPageText.endpointAnswered(lastStatus);
  const next =
    status === "pending" && nextAttemptAt && attemptCount > 0
      ? callPageText.nextAttempt(formatMoment(nextAttemptAt))
      : null;
  return [attempts, answer, next].filter((part) => part !== null).join(" · ");
}
