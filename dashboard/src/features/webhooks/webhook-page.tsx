import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, Pencil } from "lucide-react";
import { useState } from "react";
import { useMode } from "../../app/mode.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Facts } from "../../ui/facts.tsx";
import { formatFull, formatMoment } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { DeleteEndpoint } from "./delete-endpoint.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EditEndpointDialog } from "./edit-endpoint-dialog.tsx";
import { EndpointSwitch } from "./endpoint-switch.tsx";
import { NoEndpoint } from "./no-endpoint.tsx";
import { SecretCard } from "./secret-card.tsx";
import { TestEndpoint } from "./test-endpoint.tsx";
import { VerifyExample } from "./verify-example.tsx";
import { webhookQuery } from "./webhook-queries.ts";
import { badgeOfEndpoint, DISABLED_WORDS, EVENT_MEANINGS } from "./webhook-words.ts";

const route = getRouteApi("/signed-in/settings/webhooks/$webhookId");

/** One endpoint: how it fares, what was sent there, and everything that can be done about it. */
export function WebhookPage() {
  const { mode } = useMode();
  const { webhookId } = route.useParams();
  const { data: endpoint, error } = useQuery(webhookQuery(mode, webhookId));
  return (
    <Page
      title="Endpoint"
      above={<BackToWebhooks />}
      lead={endpoint ? <span className="break-all">{endpoint.url}</span> : undefined}
      actions={endpoint ? <EndpointSwitch endpoint={endpoint} /> : null}
    >
      {endpoint ? <EndpointDetails endpoint={endpoint} /> : null}
      {!endpoint && !error ? <SkeletonRows count={4} label="Fetching the endpoint" /> : null}
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
      Webhooks
    </Link>
  );
}

function EndpointDetails({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { disabledReason, disabledAt, isEnabled, failingSince } = endpoint;
  return (
    <div className="space-y-6">
      {isEnabled ? null : (
        <Notice tone={disabledReason === "member" ? "warning" : "danger"}>
          Disabled{disabledAt ? ` since ${formatMoment(disabledAt)}` : ""}.{" "}
          {disabledReason ? DISABLED_WORDS[disabledReason] : ""} What happens meanwhile is held back; enable it and send
          it again.
        </Notice>
      )}
      {isEnabled && failingSince ? (
        <Notice tone="warning">
          Nothing was accepted since {formatMoment(failingSince)}. What fails is tried again for five days; an endpoint
          that accepts nothing all that time is disabled.
        </Notice>
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
    { name: "State", value: <Badge tone={badge.tone}>{badge.text}</Badge> },
    { name: "Description", value: description ? <span dir="auto">{description}</span> : "None" },
    {
      name: "Events",
      value: eventTypes
        ? eventTypes.map((type) => (
            <span key={type} className="block" title={EVENT_MEANINGS[type]}>
              {EVENT_MEANINGS[type]}
            </span>
          ))
        : "All, also those of later releases",
    },
    { name: "Headers sent along", value: headerNames.length > 0 ? headerNames.join(", ") : "None" },
    { name: "Last accepted", value: lastSuccessAt ? formatFull(lastSuccessAt) : "Nothing yet" },
    { name: "Added", value: formatFull(createdAt) },
  ];
  return (
    <Card
      title="About"
      aside={
        <Button size="small" onClick={() => setEditing(true)}>
          <Pencil aria-hidden="true" />
          Edit
        </Button>
      }
    >
      <Facts facts={facts} />
      <p className="mt-2 font-mono text-xs break-all text-ink-soft">{endpoint.id}</p>
      {isEditing ? <EditEndpointDialog endpoint={endpoint} onClose={() => setEditing(false)} /> : null}
    </Card>
  );
}
