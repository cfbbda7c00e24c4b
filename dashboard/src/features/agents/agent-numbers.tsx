import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMode } from "../../app/mode.tsx";
import { LoadError } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { BreakdownTable } from "../usage/breakdown-table.tsx";
import { usageText } from "../usage/text.ts";
import { UsageCards } from "../usage/usage-cards.tsx";
import { callsOfGroup, sortRows, toRows } from "../usage/usage-figures.ts";
import { timeZone, type UsageNumbers, usageNumbersQuery } from "../usage/usage-queries.ts";
import { PRESETS, type Preset, type RowOrder } from "../usage/usage-search.ts";
import {
  comparisonInWords,
  GROUPING_LABELS,
  GROUPING_TITLES,
  groupLabel,
  PRESET_LABELS,
  periodInWords,
} from "../usage/usage-words.ts";
import { agentsText } from "./text.ts";

interface AgentNumbersProps {
  readonly agentId: string;
  readonly period: Preset;
  onChoose(period: Preset): void;
}

/** What the calls of an agent came to in a period, and how its versions compare. */
export function AgentNumbers({ agentId, period, onChoose }: AgentNumbersProps) {
  const { mode } = useMode();
  const search = { period, agentId, by: "version" } as const;
  const { data: numbers, error, refetch, isPlaceholderData } = useQuery(usageNumbersQuery(mode, search));
  return (
    <section aria-labelledby="agent-numbers" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="agent-numbers" className="font-semibold">
          {agentsText.endedCalls(mode)}
        </h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link to="/usage" search={search} className="text-sm text-accent-text underline underline-offset-2">
            {agentsText.moreNumbers}
          </Link>
          <Segmented
            label={usageText.period}
            value={period}
            choices={PRESETS.map((value) => ({ value, label: PRESET_LABELS[value] }))}
            onChoose={onChoose}
          />
        </div>
      </div>
      {error ? <LoadError error={error} onRetry={refetch} /> : null}
      {numbers === undefined && !error ? (
        <div className="rounded-2xl border border-line bg-surface">
          <SkeletonRows count={2} label={usageText.loadingNumbers} />
        </div>
      ) : null}
      {numbers && numbers.breakdown.total.calls === 0 ? (
        <p className="rounded-2xl border border-line bg-surface px-4 py-5 text-sm text-ink-soft sm:px-5">
          {usageText.noCallsOfAgent(mode, periodInWords(search, numbers.period))}
        </p>
      ) : null}
      {numbers && numbers.breakdown.total.calls > 0 ? (
        <div aria-busy={isPlaceholderData} className={`space-y-5 ${isPlaceholderData ? "opacity-60" : ""}`}>
          <UsageCards numbers={numbers} comparison={comparisonInWords(search, numbers.period)} />
          <Versions numbers={numbers} agentId={agentId} />
        </div>
      ) : null}
    </section>
  );
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** The versions side by side. Each leads to its calls. */
function Versions({ numbers: { breakdown }, agentId }: { readonly numbers: UsageNumbers; readonly agentId: string }) {
  const [order, setOrder] = useState<RowOrder | undefined>();
  const nameOf = (key: string) => groupLabel("version", key, { agents: NO_NAMES, keys: NO_NAMES });
  return (
    <Card title={GROUPING_TITLES.version} isFlush>
      <div className="mt-2">
        <BreakdownTable
          heading={GROUPING_LABELS.version}
          rows={sortRows(toRows(breakdown.rows, nameOf), order)}
          order={order}
          places={null}
          callsOf={(key) => callsOfGroup("version", key, breakdown, agentId, timeZone())}
          onSort={setOrder}
        />
      </div>
    </Card>
  );
}
