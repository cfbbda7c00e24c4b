import { changeWebhook, deleteWebhook, getWebhookSecret, rotateWebhookSecret } from "@parley/contract/routes/webhooks";
import type { WebhookEndpoint, WebhookSecret } from "@parley/contract/webhook-endpoints";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Eye, EyeOff, Pencil, Power, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useMode } from "../../../app/mode.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/layout/dialog.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Deliveries, TestEndpoint } from "./deliveries.tsx";
import { EndpointFields, type EndpointInput } from "./endpoint-fields.tsx";
import { NoEndpoint } from "./no-endpoint.tsx";
import { webhooksText } from "./text.tsx";
import { VerifyExample } from "./verify-example.tsx";
import { badgeOfEndpoint } from "./webhook-labels.ts";
import { webhookKeys, webhookQuery } from "./webhook-queries.ts";

const route = getRouteApi("/signed-in/settings/webhooks/$webhookId");

/** One endpoint: its state, its deliveries, and all actions. */
export function WebhookPage() {
  const { mode } = useMode();
  const { webhookId } = route.useParams();
  const { data: endpoint, error } = useQuery(webhookQuery(mode, webhookId));
  return (
    <Page
      title={webhooksText.endpoint}
      above={<BackToWebhooks />}
      lead={endpoint ? <span className="break-all">{endpoint.url}</span> : undefined}
      actions={endpoint ? <EndpointSwitch endpoint={endpoint} /> : null}
    >
      {endpoint ? <EndpointDetails endpoint={endpoint} /> : null}
      {!endpoint && !error ? <SkeletonRows count={4} label={webhooksText.loadingEndpoint} /> : null}
      {error ? <NoEndpoint error={error} mode={mode} /> : null}
    </Page>
  );
}

function BackToWebhooks() {
  return (
    <Link
      to="/settings/webhooks"
      className="mb-2 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {webhooksText.webhooks}
    </Link>
  );
}

function EndpointDetails({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { disabledReason, disabledAt, isEnabled, failingSince } = endpoint;
  return (
    <div className="space-y-6">
      {isEnabled ? null : (
        <Notice tone={disabledReason === "member" ? "warning" : "danger"}>
          {webhooksText.disabledNotice(
            disabledAt ? formatMoment(disabledAt) : null,
            disabledReason ? webhooksText.disabledReason[disabledReason] : "",
          )}
        </Notice>
      )}
      {isEnabled && failingSince ? (
        <Notice tone="warning">{webhooksText.failingNotice(formatMoment(failingSince))}</Notice>
      ) : null}
      <TestEndpoint endpoint={endpoint} />
      <Deliveries endpoint={endpoint} />
      <About endpoint={endpoint} />
      <SecretCard endpoint={endpoint} />
      <VerifyExample />
      <DeleteEndpoint endpoint={endpoint} />
    </div>
  );
}

function About({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const [isEditing, setEditing] = useState(false);
  const badge = badgeOfEndpoint(endpoint);
  const { eventTypes, headerNames, description, lastSuccessAt, createdAt } = endpoint;
  const facts = [
    { name: webhooksText.state, value: <Badge tone={badge.tone}>{badge.text}</Badge> },
    { name: webhooksText.description, value: description ? <span dir="auto">{description}</span> : webhooksText.none },
    {
      name: webhooksText.events,
      value: eventTypes
        ? eventTypes.map((type) => (
            <span key={type} className="block" title={webhooksText.eventMeanings[type]}>
              {webhooksText.eventMeanings[type]}
            </span>
          ))
        : webhooksText.allIncludingLater,
    },
    {
      name: webhooksText.additionalHeaders,
      value: headerNames.length > 0 ? headerNames.join(", ") : webhooksText.none,
    },
    { name: webhooksText.lastAccepted, value: lastSuccessAt ? formatFull(lastSuccessAt) : webhooksText.nothingYet },
    { name: webhooksText.added, value: formatFull(createdAt) },
  ];
  return (
    <Card
      title={webhooksText.about}
      aside={
        <Button size="small" onClick={() => setEditing(true)}>
          <Pencil aria-hidden="true" />
          {webhooksText.edit}
        </Button>
      }
    >
      <Facts facts={facts} />
      <p className="mt-2 font-mono text-xs break-all text-ink-soft">{endpoint.id}</p>
      {isEditing ? <EditEndpointDialog endpoint={endpoint} onClose={() => setEditing(false)} /> : null}
    </Card>
  );
}

/** Disables and enables an endpoint; either can be undone by a click. */
function EndpointSwitch({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { id, mode } = endpoint;
  const switching = useMutation({
    mutationFn: (isEnabled: boolean) => send(changeWebhook, { params: { id }, mode, body: { isEnabled } }),
    onSuccess: async (changed, isEnabled) => {
      queries.setQueryData(webhookQuery(mode, id).queryKey, changed);
      toast({
        text: isEnabled ? webhooksText.endpointEnabled : webhooksText.endpointDisabled,
        undo: () => switching.mutate(!isEnabled),
        subject: `switch:${id}`,
      });
      await Promise.all([
        queries.invalidateQueries({ queryKey: webhookKeys.lists }),
        queries.invalidateQueries({ queryKey: webhookKeys.one(id) }),
      ]);
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (
    <Button
      look={endpoint.isEnabled ? "secondary" : "primary"}
      isBusy={switching.isPending}
      onClick={() => switching.mutate(!endpoint.isEnabled)}
    >
      <Power aria-hidden="true" />
      {endpoint.isEnabled ? webhooksText.disable : webhooksText.enable}
    </Button>
  );
}

interface EditEndpointDialogProps {
  readonly endpoint: WebhookEndpoint;
  onClose(): void;
}

function EditEndpointDialog({ endpoint, onClose }: EditEndpointDialogProps) {
  const queries = useQueryClient();
  const toast = useToast();
  const { id, mode } = endpoint;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: EndpointInput) => send(changeWebhook, { params: { id }, mode, body }),
    onSuccess: async (changed) => {
      queries.setQueryData(webhookQuery(mode, id).queryKey, changed);
      toast({ text: webhooksText.endpointChanged });
      onClose();
      await queries.invalidateQueries({ queryKey: webhookKeys.lists });
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={webhooksText.editEndpoint} lead={webhooksText.editLead}>
      <EndpointFields endpoint={endpoint} error={error} isPending={isPending} onSubmit={mutate} onClose={onClose} />
    </Dialog>
  );
}

/** Its secret is deleted immediately, so deletion requires confirmation and cannot be undone. */
function DeleteEndpoint({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
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
      toast({ text: webhooksText.endpointDeleted });
      await queries.invalidateQueries({ queryKey: webhookKeys.lists });
    },
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-2xl border border-line px-4 py-4 sm:px-5">
      <p className="min-w-0 flex-1 basis-64 text-sm text-ink-soft">{webhooksText.disableInstead}</p>
      <Button onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        {webhooksText.deleteEndpoint}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={webhooksText.deleteQuestion}
          lead={webhooksText.deleteConsequence(<span className="break-all">{endpoint.url}</span>)}
          keep={webhooksText.keepIt}
          confirm={webhooksText.deleteIt}
          isBusy={isPending}
          error={error}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}

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
    <Card title={webhooksText.signingSecret}>
      <div className="space-y-4">
        <p className="text-sm text-ink-soft">{webhooksText.secretLead}</p>
        {reveal.error ? <Notice tone="danger">{errorText(reveal.error)}</Notice> : null}
        {endpoint.previousSecretUntil ? (
          <Notice tone="warning">{webhooksText.previousSecretUntil(formatFull(endpoint.previousSecretUntil))}</Notice>
        ) : null}
        {shown ? <CopyField label={webhooksText.secret} value={shown.secret} /> : null}
        {shown?.previousSecret ? <CopyField label={webhooksText.previousSecret} value={shown.previousSecret} /> : null}
        <div className="flex flex-wrap gap-2">
          {shown ? (
            <Button onClick={() => setShown(null)}>
              <EyeOff aria-hidden="true" />
              {webhooksText.hide}
            </Button>
          ) : (
            <Button onClick={() => reveal.mutate()} isBusy={reveal.isPending}>
              <Eye aria-hidden="true" />
              {webhooksText.showSecret}
            </Button>
          )}
          <Button onClick={() => setAsking(true)}>
            <RotateCw aria-hidden="true" />
            {webhooksText.rotate}
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={webhooksText.rotateQuestion}
          lead={endpoint.previousSecretUntil ? webhooksText.rotateAgainConsequence : webhooksText.rotateConsequence}
          keep={webhooksText.keepSecret}
          confirm={webhooksText.rotateSecret}
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
