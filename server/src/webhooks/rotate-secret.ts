import type { WebhookSecret } from "@parley/contract/webhook-endpoints";
import { UnreadableSecret } from "../platform/config/sealed-text.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import type { EndpointDeps } from "./endpoint-deps.ts";
import type { EndpointRow } from "./endpoint-record.ts";
import { makeWebhookSecret, openSecrets, ROTATION_MS, secretPlace } from "./endpoint-secret.ts";
import { type EndpointOwner, findEndpointRow, lockEndpointRow, updateEndpoint } from "./endpoint-store.ts";
import { unknownEndpoint } from "./unknown-endpoint.ts";

/** Makes a new secret. The one before counts for a day more, so that a receiver can be changed without missing anything. */
export async function rotateSecret(
  { secrets, nowMs }: Pick<EndpointDeps, "secrets" | "nowMs">,
  tx: Tx,
  owner: EndpointOwner,
  id: string,
): Promise<WebhookSecret> {
  const before = await lockEndpointRow(tx, owner, id);
  if (!before) throw unknownEndpoint();
  const keepsPrevious = isReadable(secrets, before);
  await updateEndpoint(tx, id, {
    secret_sealed: secrets.seal(makeWebhookSecret(), secretPlace(id)),
    previous_secret_sealed: keepsPrevious ? before.secret_sealed : null,
    previous_secret_until: keepsPrevious ? new Date(nowMs() + ROTATION_MS) : null,
  });
  return readSecret({ secrets, nowMs }, tx, owner, id);
}

/** One that was stored under another installation's secret is lost, and rotation is how to get a new one. */
function isReadable(secrets: EndpointDeps["secrets"], row: EndpointRow): boolean {
  try {
    secrets.open(row.secret_sealed, secretPlace(row.id));
    return true;
  } catch (error) {
    if (error instanceof UnreadableSecret) return false;
    throw error;
  }
}

export async function readSecret(
  { secrets, nowMs }: Pick<EndpointDeps, "secrets" | "nowMs">,
  db: Database,
  owner: EndpointOwner,
  id: string,
): Promise<WebhookSecret> {
  const row = await findEndpointRow(db, owner, id);
  if (!row) throw unknownEndpoint();
  const { secret, previousSecret, previousSecretUntil } = openSecrets(secrets, row, nowMs());
  return { secret, previousSecret, previousSecretUntil: previousSecretUntil?.toISOString() ?? null };
}
