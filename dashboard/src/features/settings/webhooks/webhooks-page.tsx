import { createWebhook } from "@parley/contract/routes/webhooks";
import { type CreatedWebhookEndpoint, ENDPOINTS_MAX, type WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { send } from "../../../api/send.ts";
import { useMode } from "../../../app/mode.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyField } from "../../../ui/forms/copy-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { EndpointFields, type EndpointInput } from "./endpoint-fields.tsx";
import { webhooksText } from "./text.tsx";
import { VerifyExample } from "./verify-example.tsx";
import { badgeOfEndpoint, wantedEvents } from "./webhook-labels.ts";
import { webhookKeys, webhooksQuery } from "./webhook-queries.ts";

/** Settings > Webhooks: where events are sent. */
export function WebhooksPage() {
  const { mode } = useMode();
  const endpoints = useInfiniteQuery(webhooksQuery(mode));
  const [isAdding, setAdding] = useState(false);
  const count = endpoints.data?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0;
  const add = (
    <Button look="primary" onClick={() => setAdding(true)} disabled={count >= ENDPOINTS_MAX}>
      <Plus aria-hidden="true" />
      {webhooksText.addEndpoint}
    </Button>
  );
  return (
    <Page title={webhooksText.webhooks} lead={webhooksText.lead(mode)} actions={count > 0 ? add : null}>
      <div className="space-y-6">
        <Card title={webhooksText.endpoints} isFlush>
          <PagedList
            list={endpoints}
            label={webhooksText.loadingEndpoints}
            empty={
              <EmptyState
                icon={<Webhook />}
                title={webhooksText.noEndpointYet(mode)}
                text={webhooksText.emptyList}
                action={add}
              />
            }
          >
            {(rows) => <EndpointList endpoints={rows} />}
          </PagedList>
        </Card>
        {count >= ENDPOINTS_MAX ? (
          <p className="text-sm text-ink-soft">{webhooksText.endpointsMax(ENDPOINTS_MAX)}</p>
        ) : null}
        {count > 0 ? <VerifyExample /> : null}
      </div>
      {isAdding ? <AddEndpointDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

function EndpointList({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] }) {
  return (
    <ul className="mt-2 divide-y divide-line border-t border-line">
      {endpoints.map((endpoint) => {
        const badge = badgeOfEndpoint(endpoint);
        return (
          <li
            key={endpoint.id}
            className="relative flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-4 hover:bg-sunken/60 sm:px-5"
          >
            <div className="min-w-0 flex-1 basis-72">
              <Link
                to="/settings/webhooks/$webhookId"
                params={{ webhookId: endpoint.id }}
                className="font-medium break-all outline-offset-[-2px] after:absolute after:inset-0"
              >
                {endpoint.url}
              </Link>
              {endpoint.description ? (
                <p className="text-sm break-words text-ink-soft" dir="auto">
                  {endpoint.description}
                </p>
              ) : null}
            </div>
            <p className="min-w-0 text-sm text-ink-soft sm:w-56">
              <span className="block truncate">{wantedEvents(endpoint)}</span>
              <span className="block">{standing(endpoint)}</span>
            </p>
            <span className="sm:w-20 sm:text-right">
              <Badge tone={badge.tone}>{badge.text}</Badge>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function standing({ disabledReason, failingSince, lastSuccessAt }: WebhookEndpoint): string {
  if (disabledReason) return webhooksText.disabledReason[disabledReason];
  if (failingSince) return webhooksText.acceptsNothingSince(formatMoment(failingSince));
  return lastSuccessAt ? webhooksText.lastAcceptedWhen(formatMoment(lastSuccessAt)) : webhooksText.nothingSentYet;
}

/** Adds an endpoint and shows the secret that its events are signed with. */
function AddEndpointDialog({ onClose }: { onClose(): void }) {
  const { mode } = useMode();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [created, setCreated] = useState<CreatedWebhookEndpoint | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: EndpointInput) => send(createWebhook, { body, mode }),
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
        title={webhooksText.addEndpoint}
        lead={mode === "test" ? webhooksText.addToTestLead : webhooksText.addToLiveLead}
      >
        <EndpointFields endpoint={null} error={error} isPending={isPending} onSubmit={mutate} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={webhooksText.endpointAdded} lead={webhooksText.secretOfNewEndpoint}>
      <CopyField label={webhooksText.signingSecret} value={created.secret} />
      <DialogActions>
        <Button onClick={onClose}>{webhooksText.close}</Button>
        <Button look="primary" onClick={() => open(created.id)}>
          {webhooksText.openEndpoint}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
