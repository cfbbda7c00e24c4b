import { replayWebhook, testWebhook } from "@parley/contract/routes/webhooks";
import type { Delivery, DeliveryDetails } from "@parley/contract/webhook-deliveries";
import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Inbox, RotateCcw, Send } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { Checkbox, Select, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { readDeliveryFilter } from "./delivery-filter.ts";
import { webhooksText } from "./text.tsx";
import { badgeOfDelivery } from "./webhook-labels.ts";
import { deliveriesQuery, deliveryQuery, webhookKeys, webhookQuery } from "./webhook-queries.ts";

const route = getRouteApi("/signed-in/settings/webhooks/$webhookId");

/** Past and pending deliveries of an endpoint. */
export function Deliveries({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { mode: _, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const deliveries = useInfiniteQuery(deliveriesQuery(endpoint.mode, endpoint.id, filter));
  useEndpointAfter(endpoint, deliveries.data?.pages.flatMap(({ rows }) => rows) ?? []);
  const [isReplaying, setReplaying] = useState(false);
  const set = (name: string, value: string) =>
    void navigate({ search: readDeliveryFilter({ ...filter, [name]: value }), replace: true, resetScroll: false });
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <Card
      title={webhooksText.deliveries}
      isFlush
      aside={
        <Button size="small" onClick={() => setReplaying(true)}>
          <RotateCcw aria-hidden="true" />
          {webhooksText.sendAgainSince}
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a search element is not known to every screen reader yet. */}
      <div
        role="search"
        aria-label={webhooksText.filterDeliveries}
        className="grid gap-2 px-4 pt-2 pb-4 sm:grid-cols-2 sm:px-5"
      >
        <Select
          aria-label={webhooksText.status}
          value={filter.status ?? ""}
          onChange={(event) => set("status", event.target.value)}
        >
          <option value="">{webhooksText.anyStatus}</option>
          <Options words={webhooksText.deliveryStatus} />
        </Select>
        <Select
          aria-label={webhooksText.event}
          value={filter.eventType ?? ""}
          onChange={(event) => set("eventType", event.target.value)}
        >
          <option value="">{webhooksText.anyEvent}</option>
          <Options words={webhooksText.eventMeanings} />
        </Select>
      </div>
      <PagedList
        list={deliveries}
        label={webhooksText.loadingDeliveries}
        empty={
          <EmptyState
            icon={<Inbox />}
            title={isNarrowed ? webhooksText.noMatchingDeliveries : webhooksText.nothingSentYet}
            text={isNarrowed ? webhooksText.noMatchText : webhooksText.emptyDeliveries}
          />
        }
      >
        {(rows) => (
          <ul className="divide-y divide-line border-t border-line">
            {rows.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        )}
      </PagedList>
      {isReplaying ? <ReplayDialog endpoint={endpoint} onClose={() => setReplaying(false)} /> : null}
    </Card>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const badge = badgeOfDelivery(delivery);
  return (
    <li className="relative flex flex-wrap items-center gap-x-6 gap-y-1.5 px-4 py-3.5 hover:bg-sunken/60 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <Link
          to="/settings/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ webhookId: delivery.webhookId, deliveryId: delivery.id }}
          className="font-mono text-[0.8125rem] font-medium outline-offset-[-2px] after:absolute after:inset-0"
        >
          {delivery.eventType}
        </Link>
        <p className="truncate text-sm text-ink-soft" title={delivery.lastReason ?? ""}>
          {delivery.lastReason ?? webhooksText.notTriedYet}
        </p>
      </div>
      <p className="text-sm text-ink-soft tabular-nums" title={formatFull(delivery.createdAt)}>
        {formatMoment(delivery.createdAt)}
      </p>
      <Badge tone={badge.tone}>{badge.text}</Badge>
    </li>
  );
}

/** Fetches the endpoint again when a delivery was settled: its state and when it last accepted one follow from that. */
function useEndpointAfter({ mode, id }: WebhookEndpoint, deliveries: readonly Delivery[]): void {
  const queries = useQueryClient();
  const settled = deliveries
    .filter(({ status }) => status !== "pending")
    .map((delivery) => delivery.id)
    .join();
  const previous = useRef(settled);
  useEffect(() => {
    if (previous.current === settled) return;
    previous.current = settled;
    void queries.invalidateQueries({ queryKey: webhookQuery(mode, id).queryKey });
  }, [queries, mode, id, settled]);
}

function Options({ words }: { readonly words: Readonly<Record<string, string>> }) {
  return Object.entries(words).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;

interface ReplayDialogProps {
  readonly endpoint: WebhookEndpoint;
  onClose(): void;
}

/** Replays everything since a given time. */
function ReplayDialog({ endpoint, onClose }: ReplayDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const [since, setSince] = useState(() => localMinute(Date.now() - DAY_MS));
  const [isOnlyUndelivered, setOnlyUndelivered] = useState(true);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => replayAll(endpoint, new Date(since).toISOString(), isOnlyUndelivered),
    onSuccess: async (count) => {
      toast({ text: webhooksText.replayed(count) });
      onClose();
      await queries.invalidateQueries({ queryKey: webhookKeys.one(endpoint.id) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog isOpen onClose={onClose} title={webhooksText.sendAgain} lead={webhooksText.replayLead(KEPT_DAYS)}>
      <form className="space-y-3" onSubmit={submit}>
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <TextField
          label={webhooksText.since}
          type="datetime-local"
          required
          value={since}
          min={localMinute(Date.now() - KEPT_DAYS * DAY_MS)}
          max={localMinute(Date.now())}
          onChange={(event) => setSince(event.target.value)}
        />
        <Checkbox
          label={webhooksText.skipAccepted}
          checked={isOnlyUndelivered}
          onChange={(event) => setOnlyUndelivered(event.target.checked)}
        />
        <DialogActions>
          <Button onClick={onClose}>{webhooksText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {webhooksText.sendAgain}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** One request replays a limited number; the reply says where to continue. */
async function replayAll({ id, mode }: WebhookEndpoint, from: string, isOnlyUndelivered: boolean): Promise<number> {
  let since: string | null = from;
  let count = 0;
  while (since !== null) {
    const query = { since, only: isOnlyUndelivered ? "undelivered" : undefined };
    const replay: { eventCount: number; nextSince: string | null } = await send(replayWebhook, {
      params: { id },
      mode,
      query,
      body: {},
    });
    count += replay.eventCount;
    since = replay.nextSince;
  }
  return count;
}

/** A time in the format of a datetime field: in the reader's own time zone, to the minute. */
function localMinute(atMs: number): string {
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, 16);
}

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
