import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { CONTROL, Select } from "../../ui/forms/field.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { agentsQuery, enginesQuery } from "../agents/agent-list-query.ts";
import { GroupingSelect } from "./grouping-select.tsx";
import { usageText } from "./text.ts";
import { choosePeriod, dayOf, daysOf, GROUPINGS, PRESETS, problemOfDays, type UsageSearch } from "./usage-search.ts";
import { DAYS_PROBLEMS, PRESET_LABELS } from "./usage-words.ts";
import { VersionSelect } from "./version-select.tsx";

interface UsageFiltersProps {
  readonly search: UsageSearch;
  /** Changes are raw: they are read like an address. */
  onChange(changes: Readonly<Record<string, string | undefined>>): void;
}

/** The period, the agent with its version, the engine, and what calls are grouped by. Each change takes effect at once and is part of the URL. */
export function UsageFilters({ search, onChange }: UsageFiltersProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: engines = [] } = useQuery(enginesQuery);
  const { period = "month", from, to, agentId = "", agentVersion = "", engine = "", by = "outcome" } = search;
  const isCustom = from !== undefined && to !== undefined;
  const engineNames = engines.map(({ name }) => name);
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
        <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto sm:flex-wrap">
          <Select
            aria-label={usageText.agent}
            value={agentId}
            // A version is one of the agent.
            onChange={(event) => onChange({ agentId: event.target.value, agentVersion: undefined })}
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
          {agentId === "" ? null : (
            <VersionSelect
              agentId={agentId}
              version={agentVersion}
              onChoose={(version) => onChange({ agentVersion: version })}
            />
          )}
          <Select
            aria-label={usageText.engine}
            value={engine}
            onChange={(event) => onChange({ engine: event.target.value })}
            className="sm:w-44"
          >
            <option value="">{usageText.allEngines}</option>
            {engineNames.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
            {engine === "" || engineNames.includes(engine) ? null : <option value={engine}>{engine}</option>}
          </Select>
          <GroupingSelect by={by} choices={GROUPINGS} onChoose={(next) => onChange({ by: next, sort: undefined })} />
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
