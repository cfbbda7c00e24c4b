import { createHash } from "node:crypto";
import { AppError, invalidField } from "@parley/contract/errors";
import { type Database, inTransaction, type Tx } from "../database/database.ts";
import { CommitOutcomeUnknown, isDatabaseAway } from "../database/failures.ts";
import type { Answer } from "./handler.ts";
import {
  findIdempotencyRecord,
  type IdempotencyRecord,
  type IdempotencyScope,
  saveIdempotencyRecord,
  tryLockIdempotencyKey,
} from "./idempotency-store.ts";

const WAIT_MAX_MS = 2000;
const RETRY_MS = 40;

/** Reads the header: bare, or quoted as the IETF draft has it; up to 255 printable ASCII characters. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalidField(
      "Idempotency-Key",
      "wrong_format",
      "Idempotency-Key must be 1 to 255 printable ASCII characters.",
    );
  }
  return key;
}

/**
 * Runs an effect once per key. The record and the effect commit together, so a crash leaves both or neither; only
 * success is stored, so a rejected request may be corrected and sent again with the same key.
 */
export async function runOnce<Data>(
  db: Database,
  scope: IdempotencyScope,
  body: unknown,
  effect: (tx: Tx) => Promise<Answer<Data>>,
): Promise<Answer<Data>> {
  const fingerprint = createHash("sha256").update(canonicalJson(body)).digest();
  const giveUpAtMs = Date.now() + WAIT_MAX_MS;
  const tryOnce = () =>
    inTransaction(db, async (tx) => {
      // Sent at once, but separate statements: the snapshot of the second must be younger than the lock, or a record just
      // committed would be missed.
      const [isLocked, stored] = await Promise.all([
        tryLockIdempotencyKey(tx, scope),
        findIdempotencyRecord(tx, scope),
      ]);
      if (!isLocked) return null;
      if (stored) return replay<Data>(stored, fingerprint);
      const fresh = await effect(tx);
      const envelopeText = JSON.stringify({ success: true, data: fresh.data });
      await Promise.all([
        saveIdempotencyRecord(tx, scope, { fingerprint, status: 200, body: envelopeText }),
        fresh.beforeCommit?.(tx),
      ]);
      return { ...fresh, envelopeText };
    });
  for (;;) {
    const answer = await settleUnknown(tryOnce);
    if (answer) return answer;
    if (Date.now() >= giveUpAtMs) {
      throw new AppError("idempotency_in_progress", "Another request with this Idempotency-Key is still running.", {
        retryAfterSeconds: 1,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** A commit that may or may not have happened is settled by trying again: the record is there, or nothing of it is. */
async function settleUnknown<T>(tryOnce: () => Promise<T>): Promise<T> {
  try {
    return await tryOnce();
  } catch (unknown) {
    if (!(unknown instanceof CommitOutcomeUnknown)) throw unknown;
    try {
      return await tryOnce();
    } catch (error) {
      // That the database is away again says nothing about the first try.
      throw isDatabaseAway(error) ? unknown : error;
    }
  }
}

function replay<Data>(record: IdempotencyRecord, fingerprint: Buffer): Answer<Data> {
  if (!record.fingerprint.equals(fingerprint)) {
    throw new AppError("idempotency_mismatch", "This Idempotency-Key was used with another body.");
  }
  return { envelopeText: record.body, headers: { "idempotent-replayed": "true" } };
}

/** JSON with its keys in order, so that two ways to write the same body are the same body. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
