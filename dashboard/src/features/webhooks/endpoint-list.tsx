import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { Link } from "@tanstack/react-router";
import { Badge } from "../../ui/badge.tsx";
import { formatMoment } from "../../ui/format.ts";
import { badgeOfEndpoint, DISABLED_WORDS, wantedEvents } from "./webhook-words.ts";

export function EndpointList({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] }) {
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
  if (disabledReason) return DISABLED_WORDS[disabledReason];
  if (failingSince) return `Accepts nothing since ${formatMoment(failingSince)}`;
  return lastSuccessAt ? `Last accepted ${formatMoment(lastSuccessAt)}` : "Nothing was sent yet";
}
