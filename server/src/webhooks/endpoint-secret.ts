import { randomBytes } from "node:crypto";
import type { Secrets } from "../platform/config/secret.ts";

/** Standard Webhooks: `whsec_` and the base64 of 24 to 64 random bytes. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;
/** How long after a rotation events are signed with both secrets. */
export const ROTATION_MS = 24 * 3600 * 1000;

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The bytes that sign. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}

/** The places that sealed texts of an endpoint are bound to. */
export const secretPlace = (endpointId: string) => `webhook_endpoints/${endpointId}/secret`;
export const headersPlace = (endpointId: string) => `webhook_endpoints/${endpointId}/headers`;

export interface SealedSecrets {
  readonly id: string;
  readonly secret_sealed: Buffer;
  readonly previous_secret_sealed: Buffer | null;
  readonly previous_secret_until: Date | null;
}

export interface OpenedSecrets {
  readonly secret: string;
  /** Null when there is none that still counts. */
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
}

/** Throws UnreadableSecret when they were sealed under another installation's secret. */
export function openSecrets(secrets: Pick<Secrets, "open">, row: SealedSecrets, nowMs: number): OpenedSecrets {
  const place = secretPlace(row.id);
  const { previous_secret_sealed: previous, previous_secret_until: until } = row;
  const isPreviousValid = previous !== null && until !== null && until.getTime() > nowMs;
  return {
    secret: secrets.open(row.secret_sealed, place),
    previousSecret: isPreviousValid ? secrets.open(previous, place) : null,
    previousSecretUntil: isPreviousValid ? until : null,
  };
}
