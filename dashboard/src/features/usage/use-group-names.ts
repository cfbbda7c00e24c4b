import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { keysQuery } from "../settings/api-keys/key-queries.ts";
import type { Grouping } from "./usage-search.ts";
import { groupLabel } from "./usage-words.ts";

/** The names of groups. Agents and keys are looked up only when they are shown. */
export function useGroupNames(by: Grouping): (key: string) => string {
  const { data: agents = [] } = useQuery({ ...agentsQuery, enabled: by === "agent" });
  const { data: keys } = useInfiniteQuery({ ...keysQuery, enabled: by === "key" });
  const names = {
    agents: new Map(agents.map(({ id, name }) => [id, name])),
    keys: new Map(keys?.pages.flatMap(({ rows }) => rows.map(({ id, name }) => [id, name] as const)) ?? []),
  };
  return (key) => groupLabel(by, key, names);
}
