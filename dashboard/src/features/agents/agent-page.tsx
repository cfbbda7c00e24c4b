import type { Agent } from "@parley/contract/agents";
import { changeAgent, publishAgent } from "@parley/contract/routes/agents";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, Bot, ChartColumnStacked, PhoneOutgoing, Upload, Workflow } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError, errorText } from "../../api/api-error.ts";
import { useIdempotencyKeys } from "../../api/idempotency-keys.ts";
import { send } from "../../api/send.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { formatFull } from "../../ui/format.ts";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../ui/layout/dialog.tsx";
import { Facts } from "../../ui/layout/facts.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { wordDetails } from "../flow-editor/problems/word-notes.ts";
import { AgentBadges } from "./agent-badges.tsx";
import { AgentMenu, useDeleteAgent } from "./agent-menu.tsx";
import { AgentNumbers } from "./agent-numbers.tsx";
import { agentQuery, agentsKey, isDraftNewer } from "./agent-queries.ts";
import { type AgentSearch, readAgentSearch } from "./agent-search.ts";
import { AgentSnippets } from "./agent-snippets.tsx";
import { CreateAgentDialog } from "./create-agent-dialog.tsx";
import { NodeFunnel } from "./node-funnel.tsx";
import { agentsText } from "./text.ts";
import { VersionList } from "./version-list.tsx";

const route = getRouteApi("/signed-in/agents/$agentId");

export function AgentPage() {
  const { agentId } = route.useParams();
  const { data: agent, error } = useQuery(agentQuery(agentId));
  if (agent) return <ShownAgent key={agent.id} agent={agent} />;
  return (
    <Page title={agentsText.agent} above={<Back />}>
      <div className="rounded-2xl border border-line bg-surface">
        {error ? <NoAgent error={error} /> : <SkeletonRows count={4} label={agentsText.loadingAgent} />}
      </div>
    </Page>
  );
}

type Open = "rename" | "duplicate" | "publish" | null;

function ShownAgent({ agent }: { readonly agent: Agent }) {
  const navigate = route.useNavigate();
  const { mode: _, ...search } = route.useSearch();
  const change = (changes: AgentSearch) =>
    void navigate({ search: readAgentSearch({ ...search, ...changes }), replace: true, resetScroll: false });
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
            {agentsText.openBuilder}
          </Link>
          {isPublishable ? (
            <Button onClick={() => setOpen("publish")}>
              <Upload aria-hidden="true" />
              {agentsText.publishDraft}
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
      <div className="mb-5">
        <AgentNumbers
          agentId={agent.id}
          period={search.period ?? "month"}
          by={search.by ?? "version"}
          onChoose={change}
        />
      </div>
      <div className="mb-5 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <VersionList agent={agent} />
        <Card title={agentsText.about}>
          {agent.description ? <p className="mb-2 text-sm break-words">{agent.description}</p> : null}
          <Facts
            facts={[
              { name: agentsText.engine, value: agent.engine ?? agentsText.defaultEngineOfAgent },
              { name: agentsText.language, value: agent.language },
              { name: agentsText.stepsInDraft, value: agent.flow.nodes.length },
              { name: agentsText.changed, value: formatFull(agent.updatedAt) },
              { name: agentsText.created, value: formatFull(agent.createdAt) },
            ]}
          />
          <p className="mt-2 font-mono text-xs break-all text-ink-soft">{agent.id}</p>
          <div className="mt-4 flex flex-wrap gap-2">
            <Link to="/calls" search={{ agentId: agent.id }} className={buttonClass({ size: "small" })}>
              <PhoneOutgoing aria-hidden="true" />
              {agentsText.callsOfThisAgent}
            </Link>
            <Link to="/usage" search={{ agentId: agent.id, by: "version" }} className={buttonClass({ size: "small" })}>
              <ChartColumnStacked aria-hidden="true" />
              {agentsText.compareVersions}
            </Link>
          </div>
        </Card>
      </div>
      <NodeFunnel agent={agent} version={search.version} onChoose={(version) => change({ version })} />

      <AgentSnippets agent={agent} />
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
      {agentsText.agents}
    </Link>
  );
}

function NoAgent({ error }: { readonly error: unknown }) {
  const isGone = error instanceof ApiError && error.code === "agent_not_found";
  return (
    <EmptyState
      icon={<Bot />}
      title={isGone ? agentsText.noSuchAgent : agentsText.agentNotFetched}
      text={isGone ? agentsText.noSuchAgentHint : errorText(error)}
    />
  );
}

interface Values {
  name: string;
  description: string;
}

/** Changes the name of an agent. What it says in calls does not change. */
function RenameAgentDialog({ agent, onClose }: { readonly agent: Agent; onClose(): void }) {
  const queries = useQueryClient();
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: { name: agent.name, description: agent.description },
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Values) => send(changeAgent, { params: { id: agent.id }, ifMatch: agent.revision, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: agentsKey });
      onClose();
    },
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Dialog isOpen onClose={onClose} title={agentsText.renameAgent}>
      <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
        {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{sayWhy(error)}</Notice> : null}
        <TextField label={agentsText.name} required maxLength={120} error={fields["name"]} {...register("name")} />
        <TextField
          label={agentsText.description}
          maxLength={2000}
          hint={agentsText.descriptionHint}
          error={fields["description"]}
          {...register("description")}
        />
        <DialogActions>
          <Button onClick={onClose}>{agentsText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {agentsText.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function sayWhy(error: unknown): string {
  const isConflict = error instanceof ApiError && error.code === "draft_conflict";
  return isConflict ? agentsText.changedMeanwhile : errorText(error);
}

/** Publishes the draft, so that new calls use it. Problems that prevent it are listed. */
export function PublishDialog({ agent, onClose }: { readonly agent: Agent; onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { register, handleSubmit } = useForm<{ note: string }>({ defaultValues: { note: "" } });
  const keyOf = useIdempotencyKeys();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: { note: string }) =>
      send(publishAgent, { params: { id: agent.id }, idempotencyKey: keyOf(body), body }),
    onSuccess: async ({ version, warnings }) => {
      await queries.invalidateQueries({ queryKey: agentsKey });
      const [first] = warnings;
      const [warning] = first ? wordDetails(agent.flow, [first]) : [];
      toast({ text: warning ? agentsText.publishedWithWarning(version, warning) : agentsText.published(version) });
      onClose();
    },
  });
  const problems = error instanceof ApiError ? wordDetails(agent.flow, error.details) : [];
  return (
    <Dialog isOpen onClose={onClose} title={agentsText.publishDraft} lead={agentsText.publishLead}>
      <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
        {error ? (
          <Notice tone="danger">
            {problems.length === 0 ? (
              errorText(error)
            ) : (
              <>
                {agentsText.notPublishable}
                <ul className="mt-1 list-disc space-y-1 pl-5">
                  {problems.map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              </>
            )}
          </Notice>
        ) : null}
        <TextField
          label={agentsText.noteOptional}
          maxLength={500}
          placeholder={agentsText.whatIsNew}
          hint={agentsText.noteHint}
          {...register("note")}
        />
        <DialogActions>
          <Button onClick={onClose}>{agentsText.notYet}</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {agentsText.publish}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
