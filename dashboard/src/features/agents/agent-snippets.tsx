import type { Agent } from "@parley/contract/agents";
import { Card } from "../../ui/layout/card.tsx";
import { Snippets } from "../snippets/snippets.tsx";
import { agentsText } from "./text.ts";

/** A call of this agent as a program places it, with its variables to fill in. */
export function AgentSnippets({ agent: { id, flow, publishedVersion } }: { readonly agent: Agent }) {
  const names = flow.variables ?? [];
  const variables = Object.fromEntries(names.map((name) => [name, name.replaceAll("_", " ")]));
  return (
    <div className="mt-5">
      <Card title={agentsText.useFromCode}>
        {publishedVersion === null ? <p className="mb-3 text-sm text-ink-soft">{agentsText.publishToCall}</p> : null}
        <Snippets
          label={agentsText.placeCallFromCode}
          request={{
            method: "POST",
            path: "/api/v1/calls",
            body: { phoneNumber: "+15550100001", agentId: id, ...(names.length > 0 ? { variables } : {}) },
          }}
        />
      </Card>
    </div>
  );
}
