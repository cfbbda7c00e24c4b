import { useInfiniteQuery } from "@tanstack/react-query";
import { Select } from "../../ui/forms/field.tsx";
import { versionsQuery } from "../agents/agent-queries.ts";
import { versionLabel } from "../calls/call-labels.ts";
import { usageText } from "./text.ts";

interface VersionSelectProps {
  readonly agentId: string;
  /** Empty for all. */
  readonly version: string;
  onChoose(version: string): void;
}

/** A version of an agent, its drafts, or all of them. */
export function VersionSelect({ agentId, version, onChoose }: VersionSelectProps) {
  const { data } = useInfiniteQuery(versionsQuery(agentId));
  const versions = [...(data?.pages.flatMap(({ rows }) => rows.map((row) => String(row.version))) ?? []), "0"];
  return (
    <Select
      aria-label={usageText.version}
      value={version}
      onChange={(event) => onChoose(event.target.value)}
      className="sm:w-44"
    >
      <option value="">{usageText.allVersions}</option>
      {versions.map((value) => (
        <option key={value} value={value}>
          {versionLabel(value)}
        </option>
      ))}
      {version === "" || versions.includes(version) ? null : <option value={version}>{versionLabel(version)}</option>}
    </Select>
  );
}
