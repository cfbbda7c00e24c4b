import type { AgentVersion } from "@parley/contract/agents";
import type { ColumnType, Generated } from "kysely";
import type { Filled, FilledTime, Json, TimeOrNull } from "./column-types.ts";

/** What is said in calls, as drafts and as published. */
export interface AgentTables {
  agents: {
    id: string;
    account_id: string;
    name: string;
    description: Filled<string>;
    engine: string | null;
    language: string;
    flow: Json<AgentVersion["flow"]>;
    revision: Generated<number>;
    published_version: ColumnType<number | null, number | null | undefined, number | null>;
    published_revision: ColumnType<number | null, number | null | undefined, number | null>;
    created_at: FilledTime;
    updated_at: FilledTime;
    updated_by: ColumnType<string | null, string | null | undefined, string | null>;
    deleted_at: TimeOrNull;
  };
  agent_versions: {
    id: string;
    agent_id: string;
    version: number;
    note: string;
    engine: string | null;
    language: string;
    flow: Json<AgentVersion["flow"]>;
    created_at: FilledTime;
  };
  tool_secrets: {
    account_id: string;
    secret_sealed: Buffer;
    previous_secret_sealed: Buffer | null;
    previous_secret_until: Date | null;
  };
}
