import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import {
  type CreatedWebhookEndpoint,
  ENDPOINTS_MAX,
  type NewWebhookEndpoint,
} from "@parley/contract/webhook-endpoints";
import type { Tx } from "../platform/database/database.ts";
import { checkEndpoint } from "./check-endpoint.ts";
import type { EndpointDeps } from "./endpoint-deps.ts";
import { toEndpoint } from "./endpoint-record.ts";
import { headersPlace, makeWebhookSecret, secretPlace } from "./endpoint-secret.ts";
import { countEndpoints, type EndpointOwner, insertEndpoint } from "./endpoint-store.ts";

/** Adds an endpoint. Its secret is in the answer, because whoever has only an API key could not ask for it later. */
export async function createEndpoint(
  { secrets, policy, nowMs }: EndpointDeps,
  tx: Tx,
  owner: EndpointOwner,
  wish: NewWebhookEndpoint,
): Promise<CreatedWebhookEndpoint> {
  checkEndpoint(wish, policy);
  if ((await countEndpoints(tx, owner)) >= ENDPOINTS_MAX) {
    throw new AppError("invalid_state", `An account has at most ${ENDPOINTS_MAX} webhook endpoints in each mode.`);
  }
  const id = makeId("webhook");
  const secret = makeWebhookSecret();
  const row = await insertEndpoint(tx, {
    id,
    account_id: owner.accountId,
    mode: owner.mode,
    url: wish.url,
    event_types: wish.eventTypes,
    description: wish.description,
    header_names: Object.keys(wish.headers),
    headers_sealed: secrets.seal(JSON.stringify(wish.headers), headersPlace(id)),
    secret_sealed: secrets.seal(secret, secretPlace(id)),
    ...(wish.isEnabled ? {} : { is_enabled: false, disabled_reason: "member", disabled_at: new Date(nowMs()) }),
  });
  return { ...toEndpoint(row, nowMs()), secret };
}
