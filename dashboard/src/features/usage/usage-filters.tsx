import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { CONTROL, Select } from "../../ui/forms/field.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { usageText } from "./text.ts";
import { choosePeriod, dayOf, daysOf, GROUPINGS, PRESETS, problemOfDays, type UsageSearch } from "./usage-search.ts";
import { DAYS_PROBLEMS, GROUPING_TITLES, PRESET_LABELS } from "./usage-words.ts";

interface UsageFiltersProps {
  readonly search: UsageSearch;
  /** Changes are raw: they are read like an address. */
  onChange(changes: Readonly<Record<string, string | undefined>>): void;
}

/** The period, the agent and what calls are grouped by. Each change takes effect at once and is part of the URL. */
export function UsageFilters({ search, onChange }: UsageFiltersProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const { period = "month", from, to, agentId = "", by = "outcome" } = search;
  const isCustom = from !== undefined && to !== undefined;
  const isListed = agentId === "" || agents.some(({ id }) => id === agentId);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to every screen reader yet.
    <div role="search" aria-label={usageText.chooseWhatIsCounted} className="mb-5 space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label={usageText.period}
          value={isCustom ? "custom" : period}
          choices={[...PRESETS, "custom" as const].map((value) => ({ value, label: PRESET_LABELS[value] }))}
          onChoose={(next) =>
            onChange(
              next === "custom"
                ? daysOf(choosePeriod(search, new Date()))
                : { period: next, from: undefined, to: undefined },
            )
          }
        />
        <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto">
          <Select
            aria-label={usageText.agent}
            value={agentId}
            onChange={(event) => onChange({ agentId: event.target.value })}
            className="sm:w-48"
          >
            <option value="">{usageText.allAgents}</option>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {isListed ? null : <option value={agentId}>{agentId}</option>}
          </Select>
          <Select
            aria-label={usageText.groupBy}
            value={by}
            onChange={(event) => onChange({ by: event.target.value, sort: undefined })}
            className="sm:w-44"
          >
            {GROUPINGS.map((value) => (
              <option key={value} value={value}>
                {GROUPING_TITLES[value]}
              </option>
            ))}
          </Select>
        </div>
      </div>
      {isCustom ? <Days from={from} to={to} onChange={onChange} /> : null}
    </div>
  );
}

interface DaysProps {
  readonly from: string;
  readonly to: string;
  onChange(changes: { readonly from: string; readonly to: string }): void;
}

/** The first and the last day. What is no period yet stays in the fields, with what is wrong about it. */
function Days({ from, to, onChange }: DaysProps) {
  const [typed, setTyped] = useState({ from, to });
  const problemId = useId();
  useEffect(() => setTyped({ from, to }), [from, to]);
  const problem = problemOfDays(typed.from, typed.to);
  const set = (changes: Partial<typeof typed>) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    if (problemOfDays(next.from, next.to) === null) onChange(next);
  };
  const field = (name: "from" | "to") => ({
    type: "date",
    value: typed[name],
    max: dayOf(new Date()),
    "aria-invalid": problem !== null,
    "aria-describedby": problem ? problemId : undefined,
    className: `${CONTROL} h-10 w-auto`,
  });
  return (
    <fieldset className="flex flex-wrap items-center gap-2 text-sm">
      <legend className="sr-only">{usageText.dates}</legend>
      <label className="flex items-center gap-2">
        {usageText.firstDay}
        <input {...field("from")} onChange={(event) => set({ from: event.target.value })} />
      </label>
      <label className="flex items-center gap-2">
        {usageText.lastDay}
        <input {...field("to")} onChange={(event) => set({ to: event.target.value })} />
      </label>
      <p id={problemId} role="alert" className="text-danger-text">
        {problem ? DAYS_PROBLEMS[problem] : ""}
      </p>
    </fieldset>
  );
}
