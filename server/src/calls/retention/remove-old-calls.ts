import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { archiveCalls, type CallArchive } from "./archive-calls.ts";
import { expireBatch } from "./expire-retained.ts";
import { readCallRetentionRules, readRemovableCalls, removeCalls, removeOldWorkers } from "./removal-store.ts";
import { recordingPart } from "./retained-parts.ts";
import type { RetentionRule } from "./retention-store.ts";

export interface RemovalDeps {
  readonly db: Database;
  /** For how long calls are kept where the account has no rule of its own; null for ever. */
  readonly installationDays: number | null;
  /** Where calls are stored before they are removed; null to remove them for good. */
  readonly archive: CallArchive | null;
  readonly nowMs: () => number;
}

/** Small, so that no statement takes long and an archived object stays of a handy size. */
const BATCH = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The files of an erased recording are removed by the machine that has them, which may be off for a while. */
const FILES_GONE_AFTER_MS = DAY_MS;
const WORKERS_KEPT_MS = 30 * DAY_MS;

/**
 * Removes calls that ended longer ago than their account keeps them, with all that belongs to them. Their recordings are erased
 * first, and the calls follow once the files are gone. Returns how many calls were removed.
 */
export async function removeOldCalls(deps: RemovalDeps): Promise<number> {
  const { db, installationDays, nowMs } = deps;
  let removed = 0;
  for (const rule of await readCallRetentionRules(db, installationDays, new Date(nowMs()))) {
    while ((await expireBatch({ db, nowMs }, recordingPart, rule)) > 0);
    for (let count = BATCH; count === BATCH; removed += count) count = await removeBatch(deps, rule);
  }
  await removeOldWorkers(db, new Date(nowMs() - WORKERS_KEPT_MS));
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
