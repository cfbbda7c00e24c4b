import { ENDPOINTS_MAX } from "@parley/contract/webhook-endpoints";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { useMode } from "../../app/mode.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Paged } from "../../ui/paged.tsx";
import { AddEndpointDialog } from "./add-endpoint-dialog.tsx";
import { EndpointList } from "./endpoint-list.tsx";
import { VerifyExample } from "./verify-example.tsx";
import { webhooksQuery } from "./webhook-queries.ts";

/** Settings > Webhooks: where events are sent. */
export function WebhooksPage() {
  const { mode } = useMode();
  const endpoints = useInfiniteQuery(webhooksQuery(mode));
  const [isAdding, setAdding] = useState(false);
  const count = endpoints.data?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0;
  const add = (
    <Button look="primary" onClick={() => setAdding(true)} disabled={count >= ENDPOINTS_MAX}>
      <Plus aria-hidden="true" />
      Add endpoint
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      lead={`Your application hears of what happens to ${mode} calls by requests that we send to it.`}
      actions={count > 0 ? add : null}
    >
      <div className="space-y-6">
        <Card title="Endpoints" isFlush>
          <Paged
            list={endpoints}
            label="Fetching the endpoints"
            empty={
              <EmptyState
                icon={<Webhook />}
                title={`No endpoint for ${mode} calls yet`}
                text="Name a URL of yours. Every event is signed, tried for five days, and kept for ninety to be sent again."
                action={add}
              />
            }
          >
            {(rows) => <EndpointList endpoints={rows} />}
          </Paged>
        </Card>
        {count >= ENDPOINTS_MAX ? (
          <p className="text-sm text-ink-soft">There can be {ENDPOINTS_MAX} endpoints in each mode.</p>
        ) : null}
        {count > 0 ? <VerifyExample /> : null}
      </div>
      {isAdding ? <AddEndpointDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}
