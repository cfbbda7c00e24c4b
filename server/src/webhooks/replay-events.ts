import type { Delivery, Replay, ReplayQuery } from "@parley/contract/webhook-deliveries";
import type { Tx } from "../platform/database/database.ts";
import { toDelivery } from "./delivery-record.ts";
import { findDeliveryRow, replayOne, replaySince } from "./delivery-store.ts";
import { type EndpointOwner, findEndpointRow } from "./endpoint-store.ts";
import { unknownDelivery, unknownEndpoint } from "./unknown-endpoint.ts";

/** What one request replays: more would keep its transaction open for seconds. */
export const REPLAYED_EVENTS_MAX = 10_000;

/** Sends one event again, under the same id. */
export async function replayDelivery(tx: Tx, owner: EndpointOwner, id: string): Promise<Delivery> {
  const row = await findDeliveryRow(tx, owner, id);
  if (!row) throw unknownDelivery();
  return toDelivery(await replayOne(tx, id));
}

/** Sends everything since a moment again, each event under its own id. */
export async function replayEvents(
  tx: Tx,
  owner: EndpointOwner,
  id: string,
  { since, only }: ReplayQuery,
  eventsMax = REPLAYED_EVENTS_MAX,
): Promise<Replay> {
  const endpoint = await findEndpointRow(tx, owner, id);
  if (!endpoint) throw unknownEndpoint();
  const { count, lastAt } = await replaySince(tx, id, new Date(since), only === "undelivered", eventsMax);
  return { eventCount: count, nextSince: lastAt?.toISOString() ?? null };
}
