import { type Alert, type AlertCause, type AlertRules, AlertRulesChanges } from "@parley/contract/alerts";
import { changeAlertRules, getAlertRules, listAlerts } from "@parley/contract/routes/alerts";
import type { Mode } from "@parley/contract/shared-fields";
import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BellRing } from "lucide-react";
import { type FormEvent, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { pagesOf, send } from "../../../api/send.ts";
import { useMode } from "../../../app/mode.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull, formatMoment, formatUsd } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Checkbox, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { ForOwners } from "../for-owners.tsx";
import { alertsText } from "./text.tsx";

const rulesQuery = (mode: Mode) =>
  queryOptions({ queryKey: ["alert-rules", mode], queryFn: ({ signal }) => send(getAlertRules, { mode, signal }) });
const alertsQuery = (mode: Mode) => pagesOf(["alerts", mode], listAlerts, { mode });

/** Settings > Alerts: the thresholds of a mode, and the alerts they raised. */
export function AlertsPage() {
  const { mode } = useMode();
  return (
    <Page title={alertsText.alerts} lead={alertsText.lead(mode)}>
      <div className="space-y-6">
        <ForOwners what={alertsText.forOwners}>
          <Rules key={mode} mode={mode} />
        </ForOwners>
        <PastAlerts mode={mode} />
      </div>
    </Page>
  );
}

function Rules({ mode }: { readonly mode: Mode }) {
  const { data: rules, error } = useQuery(rulesQuery(mode));
  if (error && !rules) return <Notice tone="danger">{errorText(error)}</Notice>;
  return (
    <Card title={alertsText.thresholds}>
      {rules ? <RulesForm rules={rules} /> : <SkeletonRows count={4} label={alertsText.loadingThresholds} />}
    </Card>
  );
}

function RulesForm({ rules }: { readonly rules: AlertRules }) {
  const queries = useQueryClient();
  const toast = useToast();
  // Null while nothing was changed here: then the saved value is shown, even when it changes elsewhere.
  const [typed, setTyped] = useState<AlertForm | null>(null);
  const form = typed ?? toForm(rules);
  const mistakes = mistakesIn(form);
  const isWrong = Object.keys(mistakes).length > 0;
  const isLive = rules.mode === "live";
  const { mutate, isPending, error } = useMutation({
    mutationFn: (changed: AlertForm) => send(changeAlertRules, { mode: rules.mode, body: toChanges(changed) }),
    onSuccess: (after, changed) => {
      queries.setQueryData(rulesQuery(rules.mode).queryKey, after);
      setTyped((now) => (now === changed ? null : now));
      toast({ text: alertsText.thresholdsSaved });
    },
  });
  const change = (part: Partial<AlertForm>) => setTyped({ ...form, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed && !isWrong) mutate(typed);
  };
  const number = (name: NumberField, label: string) => (
    <TextField
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={form[name]}
      error={mistakes[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
  return (
    <form className="space-y-5" onSubmit={submit} noValidate>
      <Checkbox
        label={alertsText.answerRate}
        hint={alertsText.answerRateHint}
        checked={form.watchesAnswerRate}
        onChange={(event) => change({ watchesAnswerRate: event.target.checked })}
      />
      {form.watchesAnswerRate ? (
        <fieldset className="grid gap-4 pl-7 sm:grid-cols-3">
          <legend className="sr-only">{alertsText.answerRate}</legend>
          {number("belowPercent", alertsText.belowInPercent)}
          {number("rateHours", alertsText.inTheLastHours)}
          {number("callsMin", alertsText.callsMin)}
        </fieldset>
      ) : null}
      <Checkbox
        label={alertsText.incidents}
        hint={alertsText.incidentsHint}
        checked={form.watchesIncidents}
        onChange={(event) => change({ watchesIncidents: event.target.checked })}
      />
      {form.watchesIncidents ? (
        <fieldset className="grid gap-4 pl-7 sm:grid-cols-3">
          <legend className="sr-only">{alertsText.incidents}</legend>
          {number("atLeast", alertsText.incidentsMin)}
          {number("incidentHours", alertsText.inTheLastHours)}
        </fieldset>
      ) : null}
      {isLive ? (
        <Checkbox
          label={alertsText.credit}
          hint={alertsText.creditHint}
          checked={form.creditLow}
          onChange={(event) => change({ creditLow: event.target.checked })}
        />
      ) : null}
      <div className="grid gap-4 border-t border-line pt-5 sm:grid-cols-3">
        {number("quietMinutes", alertsText.quietMinutes)}
      </div>
      <Checkbox
        label={alertsText.emailOwners}
        hint={alertsText.emailOwnersHint}
        checked={form.emailOwners}
        onChange={(event) => change({ emailOwners: event.target.checked })}
      />
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <Button
        type="submit"
        isBusy={isPending}
        disabled={typed === null || isWrong}
        aria-label={alertsText.saveThresholds}
      >
        {alertsText.save}
      </Button>
    </form>
  );
}

function PastAlerts({ mode }: { readonly mode: Mode }) {
  const list = useInfiniteQuery(alertsQuery(mode));
  return (
    <Card title={alertsText.alerts} isFlush>
      <PagedList
        list={list}
        label={alertsText.loadingAlerts}
        empty={<EmptyState icon={<BellRing />} title={alertsText.noAlerts} text={alertsText.emptyList} />}
      >
        {(alerts) => (
          <ul className="divide-y divide-line border-t border-line">
            {alerts.map((alert) => (
              <AlertRow key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  );
}

function AlertRow({ alert: { cause, raisedAt, resolvedAt } }: { readonly alert: Alert }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-3 text-sm sm:px-5">
      <span className="min-w-0">
        <span className="font-medium">{alertsText.alertTitles[cause.type]}</span>
        <span className="block text-ink-soft">{describeCause(cause)}</span>
      </span>
      <span className="flex items-center gap-3 text-ink-soft">
        <time dateTime={raisedAt} title={formatFull(raisedAt)}>
          {formatMoment(raisedAt)}
        </time>
        {resolvedAt === null ? (
          <Badge tone="danger">{alertsText.ongoing}</Badge>
        ) : (
          <Badge>{alertsText.resolved(<time dateTime={resolvedAt}>{formatMoment(resolvedAt)}</time>)}</Badge>
        )}
      </span>
    </li>
  );
}

/** What was measured, and the threshold at that time. */
export function describeCause(cause: AlertCause): string {
  switch (cause.type) {
    case "answer_rate":
      return alertsText.answerRateCause(cause.percent, cause.calls, cause.hours, cause.belowPercent);
    case "incidents":
      return alertsText.incidentsCause(cause.incidents, cause.hours, cause.atLeast);
    case "credit_low":
      return alertsText.creditLowCause(formatUsd(cause.balance), formatUsd(cause.creditLowAt));
  }
}

/** The rules as they are typed. */
interface AlertForm {
  readonly watchesAnswerRate: boolean;
  readonly belowPercent: string;
  readonly rateHours: string;
  readonly callsMin: string;
  readonly watchesIncidents: boolean;
  readonly atLeast: string;
  readonly incidentHours: string;
  readonly creditLow: boolean;
  readonly quietMinutes: string;
  readonly emailOwners: boolean;
}

type NumberField = {
  [Name in keyof AlertForm]: AlertForm[Name] extends string ? Name : never;
}[keyof AlertForm];

/** What is proposed for a rule that was off. */
const PROPOSED = { answerRate: { belowPercent: 40, hours: 2, callsMin: 20 }, incidents: { atLeast: 5, hours: 1 } };

export function toForm({ answerRate, incidents, creditLow, quietMinutes, emailOwners }: AlertRules): AlertForm {
  const rate = answerRate ?? PROPOSED.answerRate;
  const problems = incidents ?? PROPOSED.incidents;
  return {
    watchesAnswerRate: answerRate !== null,
    belowPercent: String(rate.belowPercent),
    rateHours: String(rate.hours),
    callsMin: String(rate.callsMin),
    watchesIncidents: incidents !== null,
    atLeast: String(problems.atLeast),
    incidentHours: String(problems.hours),
    creditLow,
    quietMinutes: String(quietMinutes),
    emailOwners,
  };
}

/** The rules that were typed. Those of other modes than live have no credit. */
export function toChanges(form: AlertForm): AlertRulesChanges {
  return {
    answerRate: form.watchesAnswerRate
      ? {
          belowPercent: readWhole(form.belowPercent),
          hours: readWhole(form.rateHours),
          callsMin: readWhole(form.callsMin),
        }
      : null,
    incidents: form.watchesIncidents
      ? { atLeast: readWhole(form.atLeast), hours: readWhole(form.incidentHours) }
      : null,
    creditLow: form.creditLow,
    quietMinutes: readWhole(form.quietMinutes),
    emailOwners: form.emailOwners,
  };
}

const readWhole = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed.trim()) : Number.NaN);

/** Where each field is in the rules, and the range that the API accepts. */
const FIELDS: Readonly<Record<NumberField, readonly [path: string, minimum: number, maximum: number]>> = {
  belowPercent: ["answerRate.belowPercent", 1, 100],
  rateHours: ["answerRate.hours", 1, 168],
  callsMin: ["answerRate.callsMin", 1, 10_000],
  atLeast: ["incidents.atLeast", 1, 10_000],
  incidentHours: ["incidents.hours", 1, 168],
  quietMinutes: ["quietMinutes", 0, 10_080],
};

/** What is wrong, by field. A rule that is off has no mistakes. */
export function mistakesIn(form: AlertForm): Partial<Record<NumberField, string>> {
  const { error } = AlertRulesChanges.safeParse(toChanges(form));
  const wrong = new Set(error?.issues.map(({ path }) => path.join(".")));
  return Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, [path, minimum, maximum]]) =>
      wrong.has(path) ? [[name, alertsText.wholeNumberMistake(minimum, maximum)]] : [],
    ),
  );
}
