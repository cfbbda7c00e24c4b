import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMode } from "../../app/mode.tsx";
import { LoadError } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { GroupedCalls } from "../usage/grouped-calls.tsx";
import { usageText } from "../usage/text.ts";
import { UsageCards } from "../usage/usage-cards.tsx";
import { usageNumbersQuery } from "../usage/usage-queries.ts";
import { PRESETS, type Preset } from "../usage/usage-search.ts";
import { comparisonInWords, PRESET_LABELS, periodInWords } from "../usage/usage-words.ts";
import { AGENT_GROUPINGS, type AgentGrouping } from "./agent-search.ts";
import { agentsText } from "./text.ts";

interface AgentNumbersProps {
  readonly agentId: string;
  readonly period: Preset;
  readonly by: AgentGrouping;
  onChoose(choice: { readonly period: Preset } | { readonly by: AgentGrouping }): void;
}

/** What the calls of an agent came to in a period, and how its versions, outcomes, engines or hours compare. */
export function AgentNumbers({ agentId, period, by, onChoose }: AgentNumbersProps) {
  const { mode } = useMode();
  const search = { period, agentId, by };
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
            onChoose={(next) => onChoose({ period: next })}
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
          <GroupedCalls
            breakdown={numbers.breakdown}
            shownBy={numbers.by}
            by={by}
            choices={AGENT_GROUPINGS}
            scope={{ agentId }}
            onGroup={(next) => onChoose({ by: next })}
          />
        </div>
      ) : null}
    </section>
  );
}
