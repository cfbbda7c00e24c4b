import type { AgentSummary } from "@parley/contract/agents";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, LayoutTemplate, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadError } from "../../ui/feedback/notice.tsx";
import { Skeleton, SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { formatFull, formatMoment } from "../../ui/format.ts";
import { Button } from "../../ui/forms/button.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { AgentBadges } from "./agent-badges.tsx";
import { AgentMenu, useDeleteAgent } from "./agent-menu.tsx";
import { agentPagesQuery } from "./agent-queries.ts";
import { CreateAgentDialog } from "./create-agent-dialog.tsx";
import { agentsText } from "./text.ts";

// The template previews need the canvas's layout library, which nothing else on this page uses.
const TemplateGallery = lazy(() =>
  import("../flow-editor/templates/template-gallery.tsx").then((module) => ({ default: module.TemplateGallery })),
);

/** The account's agents, and which of them can be called. */
export function AgentsPage() {
  const agents = useInfiniteQuery(agentPagesQuery);
  const [creating, setCreating] = useState<{ copyOf?: AgentSummary } | null>(null);
  const { mutate: remove } = useDeleteAgent(() => undefined);
  const rows = agents.data?.pages.flatMap((page) => page.rows) ?? [];
  const [isChoosing, setChoosing] = useState(false);
  const create = (
    <>
      <Button onClick={() => setChoosing(true)}>
        <LayoutTemplate aria-hidden="true" />
        {agentsText.fromATemplate}
      </Button>
      <Button look="primary" onClick={() => setCreating({})}>
        <Plus aria-hidden="true" />
        {agentsText.newAgent}
      </Button>
    </>
  );
  return (
    <Page title={agentsText.agents} lead={agentsText.agentsLead} actions={rows.length > 0 ? create : null}>
      {agents.error ? (
        <div className="mb-4">
          <LoadError error={agents.error} onRetry={() => agents.refetch()} />
        </div>
      ) : null}
      <div className="overflow-hidden rounded-2xl border border-line bg-surface">
        {agents.isPending ? <SkeletonRows count={5} label={agentsText.loadingAgents} /> : null}
        {agents.isSuccess && rows.length === 0 ? (
          <EmptyState icon={<Bot />} title={agentsText.noAgentsYet} text={agentsText.noAgentsHint} action={create} />
        ) : null}
        {rows.length > 0 ? (
          <ul aria-label={agentsText.agents} className="divide-y divide-line">
            {rows.map((agent) => (
              <Row
                key={agent.id}
                agent={agent}
                onDuplicate={() => setCreating({ copyOf: agent })}
                onDelete={() => remove(agent)}
              />
            ))}
          </ul>
        ) : null}
        {agents.hasNextPage ? (
          <div className="border-t border-line p-4 text-center">
            <Button onClick={() => void agents.fetchNextPage()} isBusy={agents.isFetchingNextPage}>
              {agentsText.showMore}
            </Button>
          </div>
        ) : null}
      </div>
      {isChoosing ? (
        <Dialog
          isOpen
          isWide
          onClose={() => setChoosing(false)}
          title={agentsText.templateTitle}
          lead={agentsText.templateLead}
        >
          <Suspense fallback={<Skeleton className="h-56 w-full rounded-2xl" />}>
            <TemplateGallery />
          </Suspense>
        </Dialog>
      ) : null}
      {creating ? <CreateAgentDialog {...creating} onClose={() => setCreating(null)} /> : null}
    </Page>
  );
}

interface RowProps {
  readonly agent: AgentSummary;
  onDuplicate(): void;
  onDelete(): void;
}

function Row({ agent, onDuplicate, onDelete }: RowProps) {
  return (
    <li className="relative flex items-center gap-x-4 px-4 py-4 hover:bg-sunken/60 sm:px-5">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <Link
            to="/agents/$agentId"
            params={{ agentId: agent.id }}
            className="font-medium break-words outline-offset-[-2px] after:absolute after:inset-0"
          >
            {agent.name}
          </Link>
          <p className="line-clamp-2 text-sm break-words text-ink-soft">
            {agent.description || agentsText.noDescription}
          </p>
        </div>
        <span className="flex flex-wrap gap-2 sm:w-52">
          <AgentBadges agent={agent} />
        </span>
        <span className="text-sm text-ink-soft sm:w-36">
          <span className="block">{agent.engine ?? agentsText.defaultEngine}</span>
          <time dateTime={agent.updatedAt} title={formatFull(agent.updatedAt)}>
            {formatMoment(agent.updatedAt)}
          </time>
        </span>
      </div>
      <span className="relative self-start sm:self-center">
        <AgentMenu agent={agent} onDuplicate={onDuplicate} onDelete={onDelete} />
      </span>
    </li>
  );
}
