import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { isDatabaseAway } from "../../platform/database/failures.ts";
import type { Bucket } from "../../platform/storage/bucket.ts";
import { toCall } from "../call-record.ts";
import { readCallsById } from "../call-store.ts";
import { readCallEvents } from "../event-store.ts";
import { readTranscript } from "../transcripts/transcript-store.ts";
import { expireBatch } from "./expire-retained.ts";
import { chooseLeavingMonths, dropLeftMonths } from "./leave-by-month.ts";
import { readCallRetentionRules, readRemovableCalls, removeCalls, removeOldWorkers } from "./removal-store.ts";
import { recordingPart } from "./retained-parts.ts";
import type { RetentionRule } from "./retention-store.ts";

export interface Archive {
  readonly bucket: Pick<Bucket, "put">;
  /** The prefix of object names. */
  readonly prefix: string;
}

export interface RemovalDeps {
  readonly db: Database;
  /** For how long calls are kept where the account has no rule of its own; null for ever. */
  readonly installationDays: number | null;
  /** Where calls are stored before they are removed; null to remove them for good. */
  readonly archive: Archive | null;
  readonly nowMs: () => number;
  /** The calls of an account could not be removed. */
  onFailed(accountId: string, error: unknown): void;
}

/** Small, so that no statement takes long and an archived object stays of a handy size. */
const BATCH = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The files of an erased recording are removed by the machine that has them, which may be off for a while. */
const FILES_GONE_AFTER_MS = DAY_MS;
const WORKERS_KEPT_MS = 30 * DAY_MS;
const compress = promisify(gzip);
const CONTENT_TYPE = "application/gzip";
/** If so many accounts fail one after the other, it is not because of the accounts. */
const FAILED_IN_A_ROW_MAX = 10;
/** More events than any call has. */
const EVENTS_MAX = 100_000;

/**
 * Removes calls that ended longer ago than their account keeps them, with all that belongs to them. Their recordings are erased
 * first, and the calls follow once the files are gone. Months that no call is left of are dropped. An account whose calls cannot be
 * removed does not keep the others from theirs; the job fails at the end. Returns how many calls were removed.
 */
export async function removeOldCalls(deps: RemovalDeps): Promise<number> {
  const { db, installationDays, nowMs } = deps;
  let removed = 0;
  await chooseLeavingMonths(deps);
  const errors: unknown[] = [];
  let failedInARow = 0;
  for (const rule of await readCallRetentionRules(db, installationDays, new Date(nowMs()))) {
    try {
      removed += await removeCallsOf(deps, rule);
      failedInARow = 0;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      deps.onFailed(rule.account_id, error);
      errors.push(error);
      failedInARow += 1;
      if (failedInARow === FAILED_IN_A_ROW_MAX) break;
    }
  }
  await dropLeftMonths(deps);
  await removeOldWorkers(db, new Date(nowMs() - WORKERS_KEPT_MS));
  if (errors.length > 0)
    throw new AggregateError(errors, `accounts whose calls could not be removed: ${errors.length}`);
  return removed;
}

async function removeCallsOf(deps: RemovalDeps, rule: RetentionRule): Promise<number> {
  let removed = 0;
  while ((await expireBatch(deps, recordingPart, rule)) > 0);
  for (let count = BATCH; count === BATCH; removed += count) count = await removeBatch(deps, rule);
  return removed;
}

/** Nothing is removed that could not be archived. */
async function removeBatch({ db, archive, nowMs }: RemovalDeps, rule: RetentionRule): Promise<number> {
  const { account_id: accountId, days } = rule;
  const endedBefore = new Date(nowMs() - days * DAY_MS);
  const erasedBefore = new Date(nowMs() - FILES_GONE_AFTER_MS);
  const callIds = await readRemovableCalls(db, accountId, endedBefore, erasedBefore, BATCH);
  if (callIds.length === 0) return 0;
  const archivedAs = archive && (await archiveCalls(db, archive, accountId, callIds));
  return inTransaction(db, async (tx) => {
    const count = await removeCalls(tx, accountId, callIds, endedBefore);
    const data = { days, count, firstId: callIds[0], lastId: callIds.at(-1), archivedAs };
    await recordAudit(tx, { accountId, actor: "service", action: "calls.removed", target: accountId, data });
    return count;
  });
}

/**
 * Stores calls as one object: JSON lines, compressed, each with a call as the API shows it, its events and its
 * transcript. The name follows from the calls, so that repeating it after a crash makes no second copy. Returns it.
 */
async function archiveCalls(
  db: Database,
  { bucket, prefix }: Archive,
  accountId: string,
  callIds: readonly string[],
): Promise<string> {
  const rows = (await readCallsById(db, callIds)).toReversed();
  const lines: string[] = [];
  for (const row of rows) {
    const events = await readCallEvents(db, row.id, 0, EVENTS_MAX);
    lines.push(
      JSON.stringify({
        call: toCall(row),
        events: events.map(({ sequence, type, data, created_at: at }) => ({ sequence, type, data, createdAt: at })),
        transcript: await readTranscript(db, row.id),
      }),
    );
  }
  const month = rows[0]?.created_at.toISOString().slice(0, 7);
  const key = `${prefix}archive/calls/${accountId}/${month}/${rows[0]?.id}-${rows.at(-1)?.id}.jsonl.gz`;
  await bucket.put(key, await compress(`${lines.join("\n")}\n`), CONTENT_TYPE);
  return key;
}
