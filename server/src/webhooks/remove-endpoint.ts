import type { Tx } from "../platform/database/database.ts";
import { holdDeliveries } from "./attempt-store.ts";
import { type EndpointOwner, lockEndpointRow, setDeleted } from "./endpoint-store.ts";
import { unknownEndpoint } from "./unknown-endpoint.ts";

/** Nothing more is sent there. An attempt under way is let finish. */
export async function removeEndpoint(tx: Tx, owner: EndpointOwner, id: string): Promise<void> {
  const row = await lockEndpointRow(tx, owner, id);
  if (!row) throw unknownEndpoint();
  await setDeleted(tx, id);
  await holdDeliveries(tx, id);
}
