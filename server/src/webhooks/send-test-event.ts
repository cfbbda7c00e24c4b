import { makeId } from "@parley/contract/ids";
import type { Delivery } from "@parley/contract/webhook-deliveries";
import type { Tx } from "../platform/database/database.ts";
import { toDelivery } from "./delivery-record.ts";
import { findDeliveryOfEvent } from "./delivery-store.ts";
import { type EndpointOwner, findEndpointRow } from "./endpoint-store.ts";
import { insertEvent } from "./event-store.ts";
import { unknownEndpoint } from "./unknown-endpoint.ts";

/** Sends an endpoint an event of its own, on the way that all events go. */
export async function sendTestEvent(tx: Tx, owner: EndpointOwner, id: string, nowMs: number): Promise<Delivery> {
  const endpoint = await findEndpointRow(tx, owner, id);
  if (!endpoint) throw unknownEndpoint();
  const eventId = makeId("event", nowMs);
  await insertEvent(
    tx,
    owner,
    {
      id: eventId,
      type: "webhook.test",
      createdAt: new Date(nowMs).toISOString(),
      sequence: null,
      data: { webhook: { id, url: endpoint.url, description: endpoint.description } },
    },
    id,
  );
  return toDelivery(await findDeliveryOfEvent(tx, eventId, id));
}
