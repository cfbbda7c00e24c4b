import type { Agent } from "@parley/contract/agents";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, Bot, PhoneOutgoing, Upload, Workflow } from "lucide-react";
import { useState } from "react";
import { inWords, Refusal } from "../../api/refusal.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { formatFull } from "../../ui/format.ts";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { AgentBadges } from "./agent-badges.tsx";
import { AgentMenu } from "./agent-menu.tsx";
import { agentQuery, isDraftNewer } from "./agent-queries.ts";
import { CreateAgentDialog } from "./create-agent-dialog.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { RenameAgentDialog } from "./rename-agent-dialog.tsx";
import { useDeleteAgent } from "./use-delete-agent.ts";
import { VersionList } from "./version-list.tsx";

const route = getRouteApi("/signed-in/agents/$agentId");

export function AgentPage() {
  const { agentId } = route.useParams();
  const { data: agent, error } = useQuery(agentQuery(agentId));
  if (agent) return <ShownAgent key={agent.id} agent={agent} />;
  return (
    <Page title="Agent" above={<Back />}>
      <div className="rounded-2xl border border-line bg-surface">
        {error ? <NoAgent error={error} /> : <SkeletonRows count={4} label="Fetching the agent" />}
      </div>
    </Page>
  );
}

type Open = "rename" | "duplicate" | "publish" | null;

function ShownAgent({ agent }: { readonly agent: Agent }) {
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const { mutate: remove } = useDeleteAgent(() => void navigate({ to: "/agents" }));
  const close = () => setOpen(null);
  const isPublishable = agent.publishedVersion === null || isDraftNewer(agent);
  return (
    <Page
      title={agent.name}
      above={<Back />}
      lead={
        <span className="flex flex-wrap gap-2">
          <AgentBadges agent={agent} />
        </span>
      }
      actions={
        <>
          <Link to="/agents/$agentId/build" params={{ agentId: agent.id }} className={buttonClass({ look: "primary" })}>
            <Workflow aria-hidden="true" />
            Open builder
          </Link>
          {isPublishable ? (
            <Button onClick={() => setOpen("publish")}>
              <Upload aria-hidden="true" />
              Publish the draft
            </Button>
          ) : null}
          <AgentMenu
            agent={agent}
            onRename={() => setOpen("rename")}
            onDuplicate={() => setOpen("duplicate")}
            onDelete={() => remove(agent)}
          />
        </>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <VersionList agent={agent} />
        <Card title="About">
          {agent.description ? <p className="mb-2 text-sm break-words">{agent.description}</p> : null}
          <Facts
            facts={[
              { name: "Engine", value: agent.engine ?? "The default one" },
              { name: "Language", value: agent.language },
              { name: "Steps in the draft", value: agent.flow.nodes.length },
              { name: "Changed", value: formatFull(agent.updatedAt) },
              { name: "Made", value: formatFull(agent.createdAt) },
            ]}
          />
          <p className="mt-2 font-mono text-xs break-all text-ink-soft">{agent.id}</p>
          <Link to="/calls" search={{ agentId: agent.id }} className={`${buttonClass({ size: "small" })} mt-4`}>
            <PhoneOutgoing aria-hidden="true" />
            Calls of this agent
          </Link>
        </Card>
      </div>
      {open === "rename" ? <RenameAgentDialog agent={agent} onClose={close} /> : null}
      {open === "duplicate" ? <CreateAgentDialog copyOf={agent} onClose={close} /> : null}
      {open === "publish" ? <PublishDialog agent={agent} onClose={close} /> : null}
    </Page>
  );
}

function Back() {
  return (
    <Link to="/agents" className="mb-3 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink">
      <ArrowLeft aria-hidden="true" className="size-4" />
      Agents
    </Link>
  );
}

function NoAgent({ error }: { readonly error: unknown }) {
  const isGone = error instanceof Refusal && error.code === "agent_not_found";
  return (
    <EmptyState
      icon={<Bot />}
      title={isGone ? "There is no such agent" : "The agent could not be fetched"}
      text={isGone ? "It may have been deleted, or belong to another account." : inWords(error)}
    />
  );
}
