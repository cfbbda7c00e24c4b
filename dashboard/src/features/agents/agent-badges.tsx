import type { AgentSummary } from "@parley/contract/agents";
import { Badge } from "../../ui/feedback/badge.tsx";
import { isDraftNewer } from "./agent-queries.ts";

/** The version that calls use, and whether the draft has changed since. */
export function AgentBadges({ agent }: { readonly agent: AgentSummary }) {
  return (
    <>
      {agent.publishedVersion === null ? (
        <Badge tone="warning">Not published</Badge>
      ) : (
        <Badge>Version {agent.publishedVersion}</Badge>
      )}
      {isDraftNewer(agent) ? <Badge tone="accent">Draft is newer</Badge> : null}
    </>
  );
}
