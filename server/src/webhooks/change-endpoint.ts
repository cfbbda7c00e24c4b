import { invalidField } from "@parley/contract/errors";
import type { WebhookEndpoint, WebhookEndpointChanges } from "@parley/contract/webhook-endpoints";
import type { Updateable } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Schema } from "../platform/database/schema/schema.ts";
import { holdDeliveries } from "./attempt-store.ts";
import { checkEndpoint } from "./check-endpoint.ts";
import type { EndpointDeps } from "./endpoint-deps.ts";
import { toEndpoint } from "./endpoint-record.ts";
import { headersPlace } from "./endpoint-secret.ts";
import { type EndpointOwner, lockEndpointRow, updateEndpoint } from "./endpoint-store.ts";
import { unknownEndpoint } from "./unknown-endpoint.ts";

/** Header values are never shown, so they must not be sent to a host that whoever changes the URL chose. */
function refuseRedirectedHeaders(
  before: { readonly url: string; readonly header_names: readonly string[] },
  { url, headers }: WebhookEndpointChanges,
): void {
  if (url === undefined || headers !== undefined || before.header_names.length === 0) return;
  if (new URL(url).origin === new URL(before.url).origin) return;
  throw invalidField(
    "headers",
    "required",
    "headers must be sent again, because those that are kept are for another host. Send {} for none.",
  );
}

/** Changes what is named. One that is switched on, or has another URL, begins with a clean record. */
export async function changeEndpoint(
  deps: EndpointDeps,
  tx: Tx,
  owner: EndpointOwner,
  id: string,
  changes: WebhookEndpointChanges,
): Promise<WebhookEndpoint> {
  const before = await lockEndpointRow(tx, owner, id);
  if (!before) throw unknownEndpoint();
  checkEndpoint(changes, deps.policy);
  refuseRedirectedHeaders(before, changes);
  const nowMs = deps.nowMs();
  const { url, eventTypes, description, headers, isEnabled } = changes;
  const set: Updateable<Schema["webhook_endpoints"]> = {};
  if (url !== undefined) set.url = url;
  if (eventTypes !== undefined) set.event_types = eventTypes;
  if (description !== undefined) set.description = description;
  if (headers !== undefined) {
    set.header_names = Object.keys(headers);
    set.headers_sealed = deps.secrets.seal(JSON.stringify(headers), headersPlace(id));
  }
  const isSwitchedOn = isEnabled === true && !before.is_enabled;
  const isSwitchedOff = isEnabled === false && before.is_enabled;
  if (isSwitchedOn) Object.assign(set, { is_enabled: true, disabled_at: null, disabled_reason: null });
  if (isSwitchedOff) Object.assign(set, { is_enabled: false, disabled_at: new Date(nowMs), disabled_reason: "member" });
  if (isSwitchedOn || (url !== undefined && url !== before.url)) {
    Object.assign(set, { failures_in_a_row: 0, paused_until: null, failing_since: null, warned_at: null });
  }
  const row = await updateEndpoint(tx, id, set);
  if (isSwitchedOff) await holdDeliveries(tx, id);
  return toEndpoint(row, nowMs);
}
