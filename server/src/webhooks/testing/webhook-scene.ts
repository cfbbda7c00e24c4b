import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import { NewWebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, run } from "../../platform/database/database.ts";
import { makePolicy } from "../../platform/outbound-http/outbound-policy.ts";
import { createEndpoint } from "../endpoints.ts";

export const secrets = deriveSecrets("a secret of the tests that is long enough");
export const loopbackPolicy = makePolicy({ allow: ["loopback"], deny: [], ports: [443] });

/** An account with endpoints, in which things happen. */
export interface WebhookScene {
  readonly accountId: string;
  addEndpoint(url: string, more?: object, mode?: Mode): Promise<{ id: string; secret: string }>;
  /** Reports an event and queues it for the subscribed endpoints. Returns its id. */
  report(type?: string, mode?: Mode): Promise<string>;
}

export async function setWebhookScene(db: Database, nowMs: () => number = Date.now): Promise<WebhookScene> {
  const accountId = makeId("account");
  await run(db, "insert into accounts (id, name) values ($1, 'Webhooks')", [accountId]);
  await run(db, "insert into account_balances (account_id) values ($1)", [accountId]);
  return {
    accountId,
    addEndpoint: (url, more = {}, mode = "test") =>
      inTransaction(db, (tx) =>
        createEndpoint(
          { secrets, policy: loopbackPolicy, nowMs },
          tx,
          { accountId, mode },
          NewWebhookEndpoint.parse({ url, ...more }),
        ),
      ),
    async report(type = "call.completed", mode = "test") {
      const id = makeId("event");
      const body = JSON.stringify({ id, type, createdAt: new Date().toISOString(), sequence: 1, data: { call: {} } });
      await run(db, "select report_event($1, $2, $3, $4, null, null, $5)", [id, accountId, mode, type, body]);
      return id;
    },
  };
}
