import type { Alert } from "@parley/contract/alerts";
import { systemClock } from "@parley/time/clock";
import { forgetOldAlerts } from "../accounts/alerts/alert-store.ts";
import { alertMail, evaluateAlerts } from "../accounts/alerts/evaluate-alerts.ts";
import { removeOldAuditEntries } from "../accounts/audit/remove-old-entries.ts";
import { forgetExpired } from "../accounts/credentials/forget-expired.ts";
import { findOwnerEmails } from "../accounts/members.ts";
import { deleteOldRuns } from "../agents/scenarios/run-store.ts";
import { createBatchPlacer, placeBatches } from "../calls/batches/place-batches.ts";
import { deleteDeadShares } from "../calls/notes/note-store.ts";
import { createRedials } from "../calls/redials/redials.ts";
import { expireRetained } from "../calls/retention/expire-retained.ts";
import { dropLeftMonths } from "../calls/retention/leave-by-month.ts";
import { type Archive, removeOldCalls } from "../calls/retention/remove-old-calls.ts";
import { type RetainedPart, recordingPart, transcriptPart } from "../calls/retention/retained-parts.ts";
import { expireCalls } from "../calls/runs/expire-calls.ts";
import { forgetVelocity } from "../phone/gate/count-velocity.ts";
import { forgetOldAttempts } from "../phone/trunks/attempt-note-store.ts";
import type { OpenTrunkDirectory } from "../phone/trunks/trunk-directory.ts";
import { addMonths } from "../platform/database/months/add-months.ts";
import { purgeIdempotencyRecords } from "../platform/http/idempotency-store.ts";
import { type JobRunner, startJobRunner } from "../platform/jobs/job-runner.ts";
import { openBucket } from "../platform/storage/bucket.ts";
import type { ModelDirectory } from "../speech/models/model-directory.ts";
import { forgetOldEvents } from "../webhooks/outbox-store.ts";
import { joinAcceptance } from "./acceptance.ts";
import { joinEngines } from "./engines.ts";
import type { ServiceContext } from "./service-context.ts";

/** Joins the parts that run by the clock. */
export function startJobs(
  context: ServiceContext,
  directory: Pick<OpenTrunkDirectory, "current">,
  models: Pick<ModelDirectory, "current">,
): JobRunner {
  const { db, directUrl: databaseUrl, log, metrics } = context;
  const engines = joinEngines(context, models);
  const { calls } = joinAcceptance(context, directory, engines);
  // For batches whose process has gone.
  const placer = createBatchPlacer({ ...calls, db }, systemClock, (error) =>
    log.warn({ error }, "could not place the calls of a batch"),
  );
  const jobs = [
    { name: "place_batches", cron: "* * * * *", run: placeBatchesWhole },
    { name: "create_redials", cron: "* * * * *", run: () => createRedials({ ...calls, db }) },
    { name: "evaluate_alerts", cron: "* * * * *", run: () => evaluateAlertsOf(context) },
    { name: "add_months", cron: "23 1 * * *", run: () => addMonthsOf(context) },
    // More often than calls are removed: a backup that is running at that time delays it.
    { name: "drop_months", cron: "33 * * * *", run: () => dropLeftMonths({ db, nowMs: Date.now }) },
    { name: "expire_calls", cron: "* * * * *", run: () => expireCalls(db) },
    {
      name: "expire_retained",
      cron: "57 * * * *",
      run: () => expireRetained({ db, parts: RETAINED_PARTS, nowMs: Date.now }),
    },
    { name: "forget_expired", cron: "47 * * * *", run: () => forgetExpired(db) },
    { name: "forget_call_shares", cron: "52 * * * *", run: () => deleteDeadShares(db) },
    { name: "forget_gate_counts", cron: "37 * * * *", run: () => forgetVelocity(db, Date.now()) },
    { name: "forget_old_alerts", cron: "17 4 * * *", run: () => forgetOldAlerts(db) },
    { name: "forget_old_attempts", cron: "27 3 * * *", run: () => forgetOldAttempts(db) },
    { name: "forget_old_runs", cron: "7 4 * * *", run: () => deleteOldRuns(db) },
    { name: "forget_old_events", cron: "7 * * * *", run: () => forgetOldEvents(db) },
    { name: "remove_old_calls", cron: "13 2 * * *", run: () => removeOldCallsOf(context) },
    { name: "remove_old_audit_entries", cron: "43 2 * * *", run: () => removeOldAuditEntriesOf(context) },
    { name: "purge_idempotency_records", cron: "17 * * * *", run: () => purgeIdempotencyRecords(db) },
  ];
  metrics.watchJobs(jobs.map(({ name }) => name));
  const runner = startJobRunner({
    databaseUrl,
    log,
    onFinished: metrics.jobFinished,
    jobs,
  });
  return {
    ...runner,
    async stop() {
      await placer.stop();
      await runner.stop();
    },
  };

  /** The first run belongs to the job, so that its failure is one of the job. */
  async function placeBatchesWhole(): Promise<void> {
    const { isMoreLater } = await placeBatches({ ...calls, db });
    if (isMoreLater) placer.start();
  }
}

async function evaluateAlertsOf({ db, mailer, log, publicUrl }: ServiceContext): Promise<void> {
  const raised: { readonly accountId: string; readonly alert: Alert }[] = [];
  await evaluateAlerts({
    db,
    nowMs: Date.now,
    onRaised: (accountId, alert) => raised.push({ accountId, alert }),
    onError: (accountId, error) => log.warn({ accountId, error }, "alerts of an account could not be evaluated"),
  });
  if (!mailer) return;
  for (const { accountId, alert } of raised) {
    for (const email of await findOwnerEmails(db, accountId)) mailer.send(alertMail(email, alert, publicUrl()));
  }
}

async function addMonthsOf({ db, log }: ServiceContext): Promise<void> {
  const outside = await addMonths(db);
  if (outside > 0) log.warn({ rows: outside }, "rows are in no monthly partition");
}

async function removeOldCallsOf({ db, settings, log }: ServiceContext): Promise<void> {
  const { callRetentionDays: installationDays } = settings;
  const onFailed = (accountId: string, error: unknown) =>
    log.error({ accountId, error }, "old calls of an account could not be removed");
  await withArchive(settings, (archive) =>
    removeOldCalls({ db, installationDays, archive, nowMs: Date.now, onFailed }),
  );
}

async function removeOldAuditEntriesOf({ db, settings }: ServiceContext): Promise<void> {
  const { auditRetentionDays: days } = settings;
  await withArchive(settings, (archive) => removeOldAuditEntries({ db, days, archive, nowMs: Date.now }));
}

async function withArchive(
  { bucket: place }: ServiceContext["settings"],
  work: (archive: Archive | null) => Promise<unknown>,
): Promise<void> {
  const bucket = place && openBucket(place);
  try {
    await work(bucket && place && { bucket, prefix: place.prefix });
  } finally {
    bucket?.close();
  }
}

/** All parts of a call that are kept for a limited time and can be erased. */
export const RETAINED_PARTS: readonly RetainedPart[] = [recordingPart, transcriptPart];
