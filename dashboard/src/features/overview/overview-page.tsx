import type { UsageGranularity } from "@parley/contract/usage";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChartNoAxesColumn, Plus } from "lucide-react";
import { useState } from "react";
import { useMode } from "../../app/mode.tsx";
import { formatCount, locale } from "../../languages/language.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadError } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { formatDelay, formatDollars, formatMinutes, formatPercent } from "../../ui/figures.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { NewCall } from "../calls/new-call/new-call.tsx";
import { GroupedCalls } from "../usage/grouped-calls.tsx";
import { FirstSteps, useSteps } from "./first-steps.tsx";
import { OverviewFilters } from "./overview-filters.tsx";
import { groupingOf, groupingsOf, type OverviewSearch, PERIODS, type Period, readOverviewSearch } from "./period.ts";
import { overviewText } from "./text.ts";
import { TimeChart } from "./time-chart.tsx";
import { groupedCallsQuery, type OverviewNumbers, usageQuery } from "./usage-queries.ts";

const route = getRouteApi("/signed-in/");

const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  day: overviewText.period24Hours,
  week: overviewText.period7Days,
  month: overviewText.period30Days,
  quarter: overviewText.period90Days,
};

export function OverviewPage() {
  const { mode } = useMode();
  const { mode: _, ...search } = route.useSearch();
  const { period = "week", agentId } = search;
  const navigate = route.useNavigate();
  const steps = useSteps();
  const { data: usage, error, refetch } = useQuery(usageQuery(mode, search));
  const [isPlacing, setPlacing] = useState(false);
  const toast = useToast();
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: readOverviewSearch({ ...search, ...changes }), replace: true, resetScroll: false });
  const dismiss = () => {
    steps.putAway(true);
    toast({ text: overviewText.firstStepsDismissed, undo: () => steps.putAway(false) });
  };
  const showsSteps = mode === "test" && steps.isOpen === true;
  // A new account sees the first steps instead of empty charts. A new member of an account with calls sees both.
  const isNew = showsSteps && !steps.hasCalled && usage?.total.calls === 0;
  const showsCharts = usage !== undefined && !isNew;
  return (
    <Page
      title={overviewText.overview}
      lead={
        showsCharts ? (
          <>
            {overviewText.lead(mode, period)}{" "}
            <Link
              to="/usage"
              search={agentId ? { agentId, by: "version" } : {}}
              className="text-accent-text underline underline-offset-2"
            >
              {overviewText.moreNumbers}
            </Link>
          </>
        ) : undefined
      }
      actions={
        <>
          {showsCharts ? (
            <Segmented
              label={overviewText.period}
              value={period}
              choices={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
              onChoose={(next) => change({ period: next })}
            />
          ) : null}
          <Button look={showsSteps ? "secondary" : "primary"} onClick={() => setPlacing(true)}>
            <Plus aria-hidden="true" />
            {overviewText.newCall}
          </Button>
        </>
      }
    >
      <div className="space-y-5">
        {error ? <LoadError error={error} onRetry={refetch} /> : null}
        {showsSteps ? <FirstSteps steps={steps} onPlace={() => setPlacing(true)} onDismiss={dismiss} /> : null}
        {showsCharts ? (
          <OverviewFilters search={search} onChange={(changes) => change({ agentVersion: undefined, ...changes })} />
        ) : null}
        {usage === undefined && !error ? <WaitingCharts /> : null}
        {showsCharts && usage.total.calls === 0 ? (
          <div className="rounded-2xl border border-line bg-surface">
            <EmptyState
              icon={<ChartNoAxesColumn />}
              title={overviewText.noCallsIn(mode, period)}
              text={agentId ? overviewText.noCallsOfAgentHint : overviewText.noCallsHint}
            />
          </div>
        ) : null}
        {showsCharts && usage.total.calls > 0 ? (
          <>
            <UsageCharts usage={usage} />
            <Groups search={search} onChange={change} />
          </>
        ) : null}
      </div>
      {isPlacing ? <NewCall onClose={() => setPlacing(false)} /> : null}
    </Page>
  );
}

interface GroupsProps {
  readonly search: OverviewSearch;
  onChange(changes: Readonly<Record<string, string>>): void;
}

/** The ended calls of the period by agent or version, engine, outcome or hour. */
export function Groups({ search, onChange }: GroupsProps) {
  const { mode } = useMode();
  const { data, error, refetch } = useQuery(groupedCallsQuery(mode, search));
  const { agentId, agentVersion } = search;
  if (error) return <LoadError error={error} onRetry={refetch} />;
  if (data === undefined || data.breakdown.rows.length === 0) return null;
  return (
    <GroupedCalls
      breakdown={data.breakdown}
      shownBy={data.by}
      by={groupingOf(search)}
      choices={groupingsOf(search)}
      scope={{ ...(agentId ? { agentId } : {}), ...(agentVersion ? { agentVersion } : {}) }}
      onGroup={(by) => onChange({ by })}
    />
  );
}

function WaitingCharts() {
  return (
    <div role="status" className="grid gap-5 md:grid-cols-2">
      <span className="sr-only">{overviewText.loadingFigures}</span>
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className="space-y-4 rounded-2xl border border-line bg-surface p-5">
          <Skeleton className="h-5 w-24" />
          <Skeleton className="h-7 w-32" />
          <Skeleton className="h-32 w-full" />
        </div>
      ))}
    </div>
  );
}

/** The usage figures of the period over time. */
export function UsageCharts({ usage }: { readonly usage: OverviewNumbers }) {
  const { total, buckets, granularity, mode, endings } = usage;
  const time = {
    moments: buckets.map(({ start }) => formatBucket(start, granularity)),
    momentsName: granularity === "day" ? overviewText.day : overviewText.hour,
  };
  const answerRate = shareOf(total.answered, total.calls);
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <TimeChart
        {...time}
        title={overviewText.calls}
        figure={formatCount(total.calls)}
        note={overviewText.answeredFailed(total.answered, total.failed)}
        shape="bars"
        series={[
          { name: overviewText.answered, tone: "accent", values: buckets.map(({ answered }) => answered) },
          {
            name: overviewText.notAnswered,
            tone: "soft",
            values: buckets.map(({ calls, answered }) => calls - answered),
          },
        ]}
        format={formatCount}
        empty={overviewText.noCallsInPeriod}
      />
      <TimeChart
        {...time}
        title={overviewText.answerRate}
        figure={answerRate === null ? "–" : formatShare(answerRate)}
        note={overviewText.answerRateNote}
        shape="lines"
        top={100}
        series={[
          {
            name: overviewText.answered,
            tone: "accent",
            values: buckets.map(({ calls, answered }) => shareOf(answered, calls)),
          },
        ]}
        format={formatShare}
        empty={overviewText.noAnswers}
      />
      <TimeChart
        {...time}
        title={overviewText.minutes}
        figure={formatMinutes(total.talkSeconds / 60)}
        note={overviewText.minutesNote}
        shape="bars"
        series={[
          { name: overviewText.minutes, tone: "accent", values: buckets.map(({ talkSeconds }) => talkSeconds / 60) },
        ]}
        format={formatMinutes}
        empty={overviewText.noTalkTime}
      />
      <TimeChart
        {...time}
        title={overviewText.spend}
        figure={formatDollars(Number(total.spend))}
        note={overviewText.spendNote}
        shape="bars"
        series={[{ name: overviewText.spend, tone: "accent", values: buckets.map(({ spend }) => Number(spend)) }]}
        format={formatDollars}
        empty={mode === "test" ? overviewText.testCallsAreFree : overviewText.nothingSpent}
      />
      <TimeChart
        {...time}
        title={overviewText.responseTime}
        figure={total.responseMsP50 === null ? "–" : formatDelay(total.responseMsP50)}
        note={
          total.responseMsP95 === null
            ? overviewText.responseTimeNote
            : overviewText.responseTimeFigures(total.turns, formatDelay(total.responseMsP95))
        }
        shape="lines"
        series={[
          { name: overviewText.median, tone: "accent", values: buckets.map(({ responseMsP50 }) => responseMsP50) },
          {
            name: overviewText.percentile95,
            tone: "soft",
            values: buckets.map(({ responseMsP95 }) => responseMsP95),
          },
        ]}
        format={formatDelay}
        empty={overviewText.noReplies}
      />
      <TimeChart
        {...time}
        title={overviewText.interruptions}
        figure={total.interruptions === null ? "–" : formatCount(total.interruptions)}
        note={
          total.interruptions === null
            ? overviewText.interruptionsNotCounted
            : total.turns === 0
              ? overviewText.noReplies
              : overviewText.interruptionsOf(total.interruptions, total.turns)
        }
        shape="bars"
        series={[
          {
            name: overviewText.interruptions,
            tone: "accent",
            values: buckets.map(({ interruptions }) => interruptions),
          },
        ]}
        format={formatCount}
        empty={total.interruptions === null ? overviewText.interruptionsNotCounted : overviewText.noInterruptions}
      />
      <div className="md:col-span-2">
        <Endings endings={endings} />
      </div>
    </div>
  );
}

const SHOWN_MAX = 8;

/** How calls ended, most frequent first, each linked to those calls. */
function Endings({ endings }: Pick<OverviewNumbers, "endings">) {
  const ended = endings.reduce((sum, { calls }) => sum + calls, 0);
  const shown = endings.slice(0, SHOWN_MAX);
  const others = endings.slice(SHOWN_MAX).reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Card title={overviewText.howCallsEnded}>
      {ended === 0 ? (
        <p className="grid h-44 place-items-center rounded-lg bg-sunken/60 px-4 text-sm text-ink-soft">
          {overviewText.noCallEnded}
        </p>
      ) : (
        <ol className="grid gap-x-6 gap-y-1 md:grid-cols-2">
          {shown.map(({ label, calls, filter }) => (
            <li key={label}>
              <Link to="/calls" search={filter} className="block rounded-lg px-2 py-1.5 text-sm hover:bg-sunken">
                <span className="flex justify-between gap-4">
                  <span className="truncate">{label}</span>
                  <span className="shrink-0 text-ink-soft tabular-nums">
                    {formatCount(calls)} · {formatShare((100 * calls) / ended)}
                  </span>
                </span>
                <span aria-hidden="true" className="mt-1.5 block h-1 overflow-hidden rounded-full bg-sunken">
                  <span
                    className="block h-full rounded-full bg-accent"
                    style={{ width: `${(100 * calls) / ended}%` }}
                  />
                </span>
              </Link>
            </li>
          ))}
          {others > 0 ? (
            <li className="px-2 py-1.5 text-sm text-ink-soft">{overviewText.endedInOtherWays(others)}</li>
          ) : null}
        </ol>
      )}
    </Card>
  );
}

const DAY = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const HOUR = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const DAY_AND_HOUR = new Intl.DateTimeFormat(locale, { weekday: "short", hour: "numeric", minute: "2-digit" });

/** A share in percent, as the chart's scale has it. */
const formatShare = (value: number): string => formatPercent(value / 100);

function formatBucket(start: string, granularity: UsageGranularity): string {
  const at = new Date(start);
  if (granularity === "day") return DAY.format(at);
  return at.toDateString() === new Date().toDateString() ? HOUR.format(at) : DAY_AND_HOUR.format(at);
}

/** A share in percent; null if there are none. */
function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? (100 * part) / whole : null;
}
