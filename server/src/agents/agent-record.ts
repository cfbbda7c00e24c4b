import type { Agent, AgentSummary, AgentVersion, AgentVersionSummary } from "@parley/contract/agents";
import type { AgentRow, AgentSummaryRow } from "./agent-store.ts";
import type { VersionRow, VersionSummaryRow } from "./version-store.ts";

export function toAgentSummary(row: AgentSummaryRow): AgentSummary {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    engine: row.engine,
    language: row.language,
    revision: row.revision,
    publishedVersion: row.published_version,
    publishedRevision: row.published_revision,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function toAgent(row: AgentRow): Agent {
  return { ...toAgentSummary(row), flow: row.flow };
}

export function toVersionSummary(row: VersionSummaryRow, publishedVersion: number | null): AgentVersionSummary {
  return {
    id: row.id,
    agentId: row.agent_id,
    version: row.version,
    note: row.note,
    engine: row.engine,
    language: row.language,
    published: row.version === publishedVersion,
    createdAt: row.created_at.toISOString(),
  };
}

export function toVersion(row: VersionRow, publishedVersion: number | null): AgentVersion {
  return { ...toVersionSummary(row, publishedVersion), flow: row.flow };
}
