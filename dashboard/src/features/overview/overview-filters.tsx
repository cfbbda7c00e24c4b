import { useQuery } from "@tanstack/react-query";
import { Select } from "../../ui/forms/field.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { VersionSelect } from "../usage/version-select.tsx";
import type { OverviewSearch } from "./period.ts";
import { overviewText } from "./text.ts";

interface OverviewFiltersProps {
  readonly search: OverviewSearch;
  onChange(changes: { readonly agentId: string | undefined; readonly agentVersion?: string | undefined }): void;
}

/** The agent that the figures are about, and one of its versions. */
export function OverviewFilters({ search: { agentId = "", agentVersion = "" }, onChange }: OverviewFiltersProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const isListed = agentId === "" || agents.some(({ id }) => id === agentId);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a search element is not known to every screen reader yet.
    <div role="search" aria-label={overviewText.chooseAgent} className="grid grid-cols-2 gap-2 sm:flex">
      <Select
        aria-label={overviewText.agent}
        value={agentId}
        // A version is one of the agent.
        onChange={(event) => onChange({ agentId: event.target.value || undefined })}
        className="sm:w-56"
      >
        <option value="">{overviewText.allAgents}</option>
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
          onChoose={(version) => onChange({ agentId, agentVersion: version || undefined })}
        />
      )}
    </div>
  );
}
