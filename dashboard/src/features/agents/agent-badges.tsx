import type { AgentSummary } from "@parley/contract/agents";
import { Badge } from "../../ui/feedback/badge.tsx";
import { isDraftNewer } from "./agent-queries.ts";
import { agentsText } from "./text.ts";

/** The version that calls use, and whether the draft has changed since. */
export function AgentBadges({ agent }: { readonly agent: AgentSummary }) {
  return (
    <>
      {agent.publishedVersion === null ? (
        <Badge tone="warning">{agentsText.notPublished}</Badge>
      ) : (
        <Badge>{agentsText.version(agent.publishedVersion)}</Badge>
      )}
      {isDraftNewer(agent) ? <Badge tone="accent">{agentsText.draftIsNewer}</Badge> : null}
    </>
  );
}
