import { AppError, invalidField } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import {
  type CreatedWebhookEndpoint,
  ENDPOINTS_MAX,
  type NewWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointChanges,
  type WebhookSecret,
} from "@parley/contract/webhook-endpoints";
import type { Updateable } from "kysely";
import { UnreadableSecret } from "../platform/config/sealed-text.ts";
import type { Secrets } from "../platform/config/secret.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import type { Schema } from "../platform/database/schema/schema.ts";
import type { OutboundPolicy } from "../platform/outbound-http/outbound-policy.ts";
import { explainBadHeader } from "../platform/outbound-http/outbound-request.ts";
import { explainBadUrl } from "../platform/outbound-http/read-target.ts";
import { holdDeliveries } from "./attempt-store.ts";
import { headersPlace, makeWebhookSecret, openSecrets, ROTATION_MS, secretPlace } from "./endpoint-secret.ts";
import {
  countEndpoints,
  type EndpointOwner,
  type EndpointRow,
  findEndpointRow,
  insertEndpoint,
  lockEndpointRow,
  setDeleted,
  toEndpoint,
  updateEndpoint,
} from "./endpoint-store.ts";

/** Adds an endpoint. Its secret is in the answer, because an API key alone cannot request it later. */
export async function createEndpoint(
  { secrets, policy, nowMs }: EndpointDeps,
  tx: Tx,
  owner: EndpointOwner,
  input: NewWebhookEndpoint,
): Promise<CreatedWebhookEndpoint> {
  checkEndpoint(input, policy);
  if ((await countEndpoints(tx, owner)) >= ENDPOINTS_MAX) {
    throw new AppError("invalid_state", `An account has at most ${ENDPOINTS_MAX} webhook endpoints in each mode.`);
  }
  const id = makeId("webhook");
  const secret = makeWebhookSecret();
  const row = await insertEndpoint(tx, {
    id,
    account_id: owner.accountId,
    mode: owner.mode,
    url: input.url,
    event_types: input.eventTypes,
    description: input.description,
    header_names: Object.keys(input.headers),
    headers_sealed: secrets.seal(JSON.stringify(input.headers), headersPlace(id)),
    secret_sealed: secrets.seal(secret, secretPlace(id)),
    ...(input.isEnabled ? {} : { is_enabled: false, disabled_reason: "member", disabled_at: new Date(nowMs()) }),
  });
  return { ...toEndpoint(row, nowMs()), secret };
}

/** Header values are never shown, so they must not be sent to a host chosen by a later change of the URL. */
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

/** Nothing more is sent there. A pending attempt may finish. */
export async function removeEndpoint(tx: Tx, owner: EndpointOwner, id: string): Promise<void> {
  const row = await lockEndpointRow(tx, owner, id);
  if (!row) throw unknownEndpoint();
  await setDeleted(tx, id);
  await holdDeliveries(tx, id);
}

/**
 * Creates a new secret. The previous one stays valid for a day, so that a receiver can be changed without missing
 * anything.
 */
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

/** Fields that say what is sent and that it is ours: a customer who could set them could forge our requests. */
const OWN_HEADERS = /^(?:webhook-.*|content-type|user-agent)$/i;

interface EndpointTarget {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Refuses, with the field at fault, what could never be sent. Where a name leads is found out with each request. */
function checkEndpoint({ url, headers }: EndpointTarget, policy: OutboundPolicy): void {
  const badUrl = url === undefined ? null : explainBadUrl(url, policy);
  if (badUrl !== null) throw invalidField("url", "not_reachable", badUrl);
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const mistake = OWN_HEADERS.test(name)
      ? `The header ${name} cannot be set; it is written for you.`
      : isRepeated
        ? `The header ${name} is there twice.`
        : explainBadHeader(name, value);
    if (mistake !== null) throw invalidField("headers", "bad_header", mistake);
  }
}

/** What it takes to make and change endpoints. */
export interface EndpointDeps {
  readonly secrets: Pick<Secrets, "seal" | "open">;
  /** Where events may be sent. */
  readonly policy: OutboundPolicy;
  nowMs(): number;
}

/** The same whether another account has it or it does not exist. */
export function unknownEndpoint(): AppError {
  return new AppError("not_found", "The account has no such webhook endpoint in this mode.");
}

export function unknownDelivery(): AppError {
  return new AppError("not_found", "The account has no such delivery in this mode.");
}
