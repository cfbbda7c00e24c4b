import type { Alert, AlertCause, AlertRules, AlertType } from "@parley/contract/alerts";
import { makeId } from "@parley/contract/ids";
import type { Mode } from "@parley/contract/shared-fields";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import type { Mail } from "../../platform/mail/send-mail.ts";
import { insertEvent } from "../../webhooks/outbox-store.ts";
import { toRules } from "./alert-rules.ts";
import {
  type CountedCalls,
  countCallsSince,
  insertAlert,
  listWatched,
  lockRules,
  readCredit,
  readLatestAlerts,
  resolveAlert,
  toAlert,
} from "./alert-store.ts";
import { decideAlert, type Judgement, judgeAnswerRate, judgeCredit, judgeIncidents } from "./judge-alert.ts";

export interface EvaluationDeps {
  readonly db: Database;
  nowMs(): number;
  /** Called after the alert is committed, if owners want mail. */
  onRaised(accountId: string, alert: Alert): void;
  onError(accountId: string, error: unknown): void;
}

const HOUR_MS = 3_600_000;
const ACCOUNTS_AT_ONCE = 200;
const TYPES: readonly AlertType[] = ["answer_rate", "incidents", "credit_low"];

/** Compares the figures of every account that has rules with them. The failure of one account does not stop the others. */
export async function evaluateAlerts(deps: EvaluationDeps): Promise<void> {
  let last: { account_id: string; mode: Mode } | null = null;
  do {
    const watched = await listWatched(deps.db, last, ACCOUNTS_AT_ONCE);
    for (const { account_id, mode } of watched) {
      try {
        for (const alert of await evaluateAccount(deps, account_id, mode)) deps.onRaised(account_id, alert);
      } catch (error) {
        deps.onError(account_id, error);
      }
    }
    last = watched.length === ACCOUNTS_AT_ONCE ? (watched.at(-1) ?? null) : null;
  } while (last);
}

/** Returns the alerts that were raised and are to be mailed. */
async function evaluateAccount({ db, nowMs }: EvaluationDeps, accountId: string, mode: Mode): Promise<Alert[]> {
  return inTransaction(db, async (tx) => {
    const row = await lockRules(tx, accountId, mode);
    if (!row) return [];
    const rules = toRules(row);
    const now = nowMs();
    const judgements = await judgeAll(tx, accountId, rules, now);
    const latest = new Map((await readLatestAlerts(tx, accountId, mode)).map((alert) => [alert.type, alert]));
    const raised: Alert[] = [];
    for (const type of TYPES) {
      const judgement = judgements.find(({ cause }) => cause.type === type) ?? null;
      const before = latest.get(type);
      const decision = decideAlert(
        judgement,
        before ? { raisedAtMs: before.raised_at.getTime(), isOpen: before.resolved_at === null } : null,
        rules.quietMinutes,
        now,
      );
      if (decision === "raise" && judgement) {
        const id = makeId("alert", now);
        const alert = toAlert(
          await insertAlert(tx, { id, accountId, mode, cause: judgement.cause, raisedAt: new Date(now) }),
        );
        await report(tx, accountId, "alert.raised", alert, now);
        raised.push(alert);
      }
      if (decision === "resolve" && before)
        await report(tx, accountId, "alert.resolved", toAlert(await resolveAlert(tx, before.id, new Date(now))), now);
    }
    return rules.emailOwners ? raised : [];
  });
}

async function judgeAll(tx: Tx, accountId: string, rules: AlertRules, now: number): Promise<Judgement[]> {
  const { answerRate, incidents, creditLow, mode } = rules;
  const count = (hours: number): Promise<CountedCalls> =>
    countCallsSince(tx, accountId, mode, new Date((Math.floor(now / HOUR_MS) - hours + 1) * HOUR_MS));
  const credit = creditLow ? await readCredit(tx, accountId) : null;
  return [
    ...(answerRate ? [judgeAnswerRate(answerRate, await count(answerRate.hours))] : []),
    ...(incidents ? [judgeIncidents(incidents, (await count(incidents.hours)).incidents)] : []),
    ...(credit ? [judgeCredit(credit)] : []),
  ];
}

async function report(tx: Tx, accountId: string, type: "alert.raised" | "alert.resolved", alert: Alert, now: number) {
  const head = { id: makeId("event", now), type, createdAt: new Date(now).toISOString(), sequence: null };
  await insertEvent(tx, { accountId, mode: alert.mode }, { ...head, data: { alert } }, null);
}

export function alertMail(to: string, alert: Alert, dashboardUrl: string): Mail {
  return {
    to,
    subject: SUBJECTS[alert.cause.type],
    text: `${describe(alert.cause)}${alert.mode === "test" ? "\n\nThis is about test calls." : ""}

There is no further e-mail about this until it has recovered. Alerts and their thresholds are at
${dashboardUrl}/settings/alerts
`,
  };
}

const SUBJECTS: Readonly<Record<AlertCause["type"], string>> = {
  answer_rate: "Few calls are answered",
  incidents: "Calls have problems on our side",
  credit_low: "The credit is low",
};

function describe(cause: AlertCause): string {
  switch (cause.type) {
    case "answer_rate":
      return `${cause.percent}% of ${cause.calls} calls in the last ${hoursInWords(cause.hours)} were answered. Your threshold is ${cause.belowPercent}%.`;
    case "incidents":
      return `There were ${cause.incidents} problems on our side in the last ${hoursInWords(cause.hours)}. Your threshold is ${cause.atLeast}.`;
    case "credit_low":
      return `The balance is $${cause.balance}. Your threshold is $${cause.creditLowAt}.`;
  }
}

function hoursInWords(hours: number): string {
  return hours === 1 ? "hour" : `${hours} hours`;
}
