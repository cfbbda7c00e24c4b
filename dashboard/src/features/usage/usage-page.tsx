import type { UsageBreakdown } from "@parley/contract/usage";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChartColumnStacked, Download, GitCompareArrows } from "lucide-react";
import { useMode } from "../../app/mode.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadError } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { formatPercent } from "../../ui/figures.ts";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { Select } from "../../ui/forms/field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { BreakdownTable, toCsv } from "./breakdown-table.tsx";
import { usageText } from "./text.ts";
import { UsageCards } from "./usage-cards.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { callsOfBucket, callsOfGroup, isGroupedByTime, sortRows, toLayers, toRows } from "./usage-figures.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { timeZone, type UsageNumbers, usageNumbersQuery } from "./usage-queries.ts";
import { daysOf, MEASURES, readUsageSearch, type UsageSearch } from "./usage-search.ts";
import {
  bucketInWords,
  comparisonInWords,
  GROUPING_LABELS,
  GROUPING_TITLES,
  MEASURE_FORMATS,
  MEASURE_LABELS,
  periodInWords,
} from "./usage-words.ts";
import { useGroupNames } from "./use-group-names.ts";

const route = getRouteApi("/signed-in/usage");

type ChangeSearch = (changes: Readonly<Record<string, string | undefined>>) => void;

/** The numbers of a period: what calls came to, how that changed, and which calls made up each number. */
export function UsagePage() {
  const { mode } = useMode();
  const { mode: _, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: numbers, error, refetch, isPlaceholderData } = useQuery(usageNumbersQuery(mode, search));
  const change: ChangeSearch = (changes) =>
    void navigate({ search: readUsageSearch({ ...search, ...changes }), replace: true, resetScroll: false });
  return (
    <Page title={usageText.usage} lead={mode === "test" ? usageText.testLead : usageText.liveLead}>
      <UsageFilters search={search} onChange={change} />
      {error ? (
        <div className="mb-5">
          <LoadError error={error} onRetry={refetch} />
        </div>
      ) : null}
      {numbers === undefined && !error ? <WaitingNumbers /> : null}
      {numbers && numbers.breakdown.total.calls === 0 ? <NoCalls numbers={numbers} search={search} /> : null}
      {numbers && numbers.breakdown.total.calls > 0 ? (
        <div aria-busy={isPlaceholderData} className={`space-y-5 ${isPlaceholderData ? "opacity-60" : ""}`}>
          <Numbers numbers={numbers} search={search} onChange={change} />
        </div>
      ) : null}
    </Page>
  );
}

interface NumbersProps {
  readonly numbers: UsageNumbers;
  readonly search: UsageSearch;
}

function NoCalls({ numbers, search }: NumbersProps) {
  const period = periodInWords(search, numbers.period);
  const isNarrowed = Object.keys(numbers.scope).length > 0;
  return (
    <div className="rounded-2xl border border-line bg-surface">
      <EmptyState
        icon={<ChartColumnStacked />}
        title={usageText.noCallsInPeriod}
        text={
          isNarrowed
            ? usageText.noMatchingCalls(numbers.breakdown.mode, period)
            : usageText.noCallsEnded(numbers.breakdown.mode, period)
        }
        action={
          <Link to="/calls" className={buttonClass()}>
            {usageText.goToCalls}
          </Link>
        }
      />
    </div>
  );
}

function WaitingNumbers() {
  return (
    <div role="status" className="space-y-5">
      <span className="sr-only">{usageText.loadingNumbers}</span>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {["a", "b", "c", "d", "e", "f", "g"].map((key) => (
          <div
            key={key}
            className={`space-y-3 rounded-2xl border border-line bg-surface p-5 ${key === "a" ? "col-span-2" : ""}`}
          >
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-7 w-24" />
            <Skeleton className="h-4 w-full max-w-40" />
          </div>
        ))}
      </div>
      <div className="rounded-2xl border border-line bg-surface p-5">
        <Skeleton className="h-56 w-full" />
      </div>
    </div>
  );
}

function Numbers({ numbers, search, onChange }: NumbersProps & { readonly onChange: ChangeSearch }) {
  const { breakdown, period, scope, by } = numbers;
  const { measure = "calls", sort } = search;
  const nameOf = useGroupNames(by);
  const layers = measure === "response" ? [] : toLayers(breakdown, measure);
  const groups = layers.flatMap((layer) => (layer.kind === "group" ? [layer.key] : []));
  const layerName = (layer: (typeof layers)[number]) => {
    if (layer.kind === "group") return nameOf(layer.key);
    return layer.kind === "rest" ? usageText.allOthers : MEASURE_LABELS[measure];
  };
  const download = () => {
    const { from, to } = daysOf(period);
    saveFile(
      new Blob([toCsv(breakdown.rows, GROUPING_LABELS[by], nameOf)], { type: "text/csv" }),
      `usage-${by}-${breakdown.mode}-${from}-${to}.csv`,
    );
  };
  return (
    <>
      <UsageCards numbers={numbers} comparison={comparisonInWords(search, period)} />
      <Card
        title={usageText.perBucket[period.granularity]}
        aside={
          <Select
            aria-label={usageText.whatTheChartShows}
            value={measure}
            onChange={(event) => onChange({ measure: event.target.value })}
            className="w-40"
          >
            {MEASURES.map((value) => (
              <option key={value} value={value}>
                {MEASURE_LABELS[value]}
              </option>
            ))}
          </Select>
        }
      >
        {measure === "response" && breakdown.total.responseMsP50 === null ? (
          <p className="grid h-44 place-items-center rounded-lg bg-sunken/60 px-4 text-center text-sm text-ink-soft">
            {usageText.noResponseTimes}
          </p>
        ) : (
          <UsageChart
            // The position in the chart belongs to what it shows.
            key={`${breakdown.from} ${period.granularity}`}
            title={usageText.measurePerBucket(MEASURE_LABELS[measure], period.granularity)}
            bucket={period.granularity}
            buckets={(breakdown.total.buckets ?? []).map(({ start }, index) => ({
              label: bucketInWords(start, period.granularity, false),
              longLabel: bucketInWords(start, period.granularity, true),
              calls: callsOfBucket(breakdown, index, scope),
            }))}
            layers={
              measure === "response"
                ? responseLines(breakdown.total)
                : layers.map((layer, index) => ({
                    name: layerName(layer),
                    place: layer.kind === "rest" ? undefined : index,
                    values: layer.values,
                  }))
            }
            shape={measure === "response" ? "lines" : "bars"}
            periodName={usageText.inWholePeriod(MEASURE_LABELS[measure])}
            format={MEASURE_FORMATS[measure]}
          />
        )}
      </Card>
      {search.by === "version" && scope.agentId === undefined ? (
        <Card title={GROUPING_TITLES.version}>
          <EmptyState icon={<GitCompareArrows />} title={usageText.chooseAgent} text={usageText.chooseAgentHint} />
        </Card>
      ) : (
        <Card
          title={GROUPING_TITLES[by]}
          isFlush
          aside={
            <Button size="small" onClick={download}>
              <Download aria-hidden="true" />
              {usageText.downloadCsv}
            </Button>
          }
        >
          <div className="mt-2">
            <BreakdownTable
              heading={GROUPING_LABELS[by]}
              rows={sortRows(toRows(breakdown.rows, nameOf), sort, by)}
              order={sort}
              places={
                isGroupedByTime(by) || measure === "response" ? null : new Map(groups.map((key, place) => [key, place]))
              }
              callsOf={(key) => callsOfGroup(by, key, breakdown, scope, timeZone())}
              onSort={(order) => onChange({ sort: order })}
            />
          </div>
        </Card>
      )}
    </>
  );
}

/** The response times of all calls that are counted. */
function responseLines({ buckets = [], responseMsP50, responseMsP95 }: UsageBreakdown["total"]) {
  return [
    {
      ...{ name: usageText.median, place: 0, whole: responseMsP50 },
      values: buckets.map((bucket) => bucket.responseMsP50),
    },
    {
      ...{ name: usageText.mostReplies(formatPercent(0.95)), place: undefined, whole: responseMsP95 },
      values: buckets.map((bucket) => bucket.responseMsP95),
    },
  ];
}
