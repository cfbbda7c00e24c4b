import type { McpApprovals, McpServer, McpTool } from "@parley/contract/mcp-servers";
import {
  approveMcpTools,
  changeMcpServer,
  deleteMcpServer,
  refreshMcpServer,
} from "@parley/contract/routes/mcp-servers";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Pencil, Power, RotateCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { formatFull } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/layout/dialog.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { mcpKeys, mcpServerQuery } from "./mcp-queries.ts";
import { ServerFields, type ServerInput } from "./server-fields.tsx";
import { TOOL_STATES } from "./server-state.ts";
import { mcpText } from "./text.ts";

const route = getRouteApi("/signed-in/settings/mcp/$serverId");

/** One MCP server: its tools, and which of them agents may use. */
export function McpServerPage() {
  const { serverId } = route.useParams();
  const { data: server, error } = useQuery(mcpServerQuery(serverId));
  return (
    <Page
      title={server?.name ?? mcpText.mcpServer}
      above={
        <Link to="/settings/mcp" className="mb-2 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink">
          <ArrowLeft aria-hidden="true" className="size-4" />
          {mcpText.mcpServers}
        </Link>
      }
      lead={server ? <span className="break-all">{server.url}</span> : undefined}
      actions={server ? <ServerSwitch server={server} /> : null}
    >
      {server ? (
        <div className="space-y-6">
          {server.problem ? <Notice tone="warning">{apiText.wordSentence(server.problem)}</Notice> : null}
          <Tools server={server} />
          <About server={server} />
          <RemoveServer server={server} />
        </div>
      ) : null}
      {!server && !error ? <SkeletonRows count={4} label={mcpText.loadingServer} /> : null}
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
    </Page>
  );
}

/** Changes the server, keeps what the reply says, and reports what was refused. */
function useServerChange<Input>(change: (input: Input) => Promise<McpServer>, done?: string) {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: change,
    onSuccess: async (server) => {
      queries.setQueryData(mcpServerQuery(server.id).queryKey, server);
      if (done) toast({ text: done });
      await queries.invalidateQueries({ queryKey: mcpKeys.lists });
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
}

function ServerSwitch({ server: { id, isEnabled } }: { readonly server: McpServer }) {
  const switching = useServerChange(
    () => send(changeMcpServer, { params: { id }, body: { isEnabled: !isEnabled } }),
    isEnabled ? mcpText.disabled : mcpText.enabled,
  );
  return (
    <Button
      look={isEnabled ? "secondary" : "primary"}
      isBusy={switching.isPending}
      onClick={() => switching.mutate(undefined)}
    >
      <Power aria-hidden="true" />
      {isEnabled ? mcpText.disable : mcpText.enable}
    </Button>
  );
}

function Tools({ server }: { readonly server: McpServer }) {
  const { id, tools } = server;
  const reading = useServerChange(() => send(refreshMcpServer, { params: { id }, body: {} }));
  const deciding = useServerChange((body: Partial<McpApprovals>) => send(approveMcpTools, { params: { id }, body }));
  return (
    <Card
      title={mcpText.tools}
      aside={
        <Button size="small" isBusy={reading.isPending} onClick={() => reading.mutate(undefined)}>
          <RotateCw aria-hidden="true" />
          {mcpText.readAgain}
        </Button>
      }
      isFlush
    >
      <p className="px-4 pb-3 text-sm text-ink-soft sm:px-5">{mcpText.toolsLead}</p>
      {tools.length === 0 ? (
        <p className="border-t border-line px-4 py-4 text-sm text-ink-soft sm:px-5">
          {server.checkedAt === null ? mcpText.toolsNotRead : mcpText.emptyTools}
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {tools.map((tool) => (
            <ToolRow
              key={tool.name}
              tool={tool}
              isBusy={deciding.isPending}
              onApprove={() => deciding.mutate({ approve: [{ name: tool.name, digest: tool.digest }] })}
              onRevoke={() => deciding.mutate({ revoke: [tool.name] })}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface ToolRowProps {
  readonly tool: McpTool;
  readonly isBusy: boolean;
  onApprove(): void;
  onRevoke(): void;
}

function ToolRow({ tool, isBusy, onApprove, onRevoke }: ToolRowProps) {
  const { name, state, definition, approvedDefinition } = tool;
  const badge = TOOL_STATES[state];
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-72 space-y-1.5">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-sm font-medium break-all">{name}</span>
          <Badge tone={badge.tone}>{badge.text}</Badge>
          {definition.isReadOnly ? <Badge>{mcpText.readOnly}</Badge> : null}
        </p>
        <p className="text-sm break-words whitespace-pre-wrap" dir="auto">
          {definition.description || mcpText.withoutADescription}
        </p>
        {state === "changed" && approvedDefinition ? (
          <p className="text-sm break-words whitespace-pre-wrap text-ink-soft" dir="auto">
            {mcpText.approvedBefore(approvedDefinition.description)}
          </p>
        ) : null}
        <details>
          <summary className="text-sm text-ink-soft">{mcpText.argumentsLabel}</summary>
          <pre className="mt-2 overflow-x-auto rounded-xl bg-sunken/60 p-3 text-xs">
            {JSON.stringify(definition.inputSchema, null, 2)}
          </pre>
        </details>
      </div>
      {state === "approved" || state === "missing" ? (
        <Button size="small" disabled={isBusy} onClick={onRevoke} aria-label={mcpText.withdrawTool(name)}>
          {mcpText.withdraw}
        </Button>
      ) : (
        <Button
          size="small"
          look="primary"
          disabled={isBusy}
          onClick={onApprove}
          aria-label={mcpText.approveTool(name)}
        >
          {state === "changed" ? mcpText.approveAgain : mcpText.approve}
        </Button>
      )}
    </li>
  );
}

function About({ server }: { readonly server: McpServer }) {
  const [isEditing, setEditing] = useState(false);
  const { headerNames, timeoutMs, checkedAt, createdAt } = server;
  const facts = [
    { name: mcpText.additionalHeaders, value: headerNames.length > 0 ? headerNames.join(", ") : mcpText.none },
    { name: mcpText.toolTimeout, value: `${timeoutMs / 1000} s` },
    { name: mcpText.toolsLastRead, value: checkedAt ? formatFull(checkedAt) : mcpText.notYet },
    { name: mcpText.added, value: formatFull(createdAt) },
  ];
  return (
    <Card
      title={mcpText.about}
      aside={
        <Button size="small" onClick={() => setEditing(true)}>
          <Pencil aria-hidden="true" />
          {mcpText.edit}
        </Button>
      }
    >
      <Facts facts={facts} />
      {isEditing ? <EditServerDialog server={server} onClose={() => setEditing(false)} /> : null}
    </Card>
  );
}

function EditServerDialog({ server, onClose }: { readonly server: McpServer; onClose(): void }) {
  const queries = useQueryClient();
  const { id } = server;
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ url, headers }: ServerInput) =>
      send(changeMcpServer, { params: { id }, body: { url, ...(headers ? { headers } : {}) } }),
    onSuccess: async (changed) => {
      queries.setQueryData(mcpServerQuery(id).queryKey, changed);
      onClose();
      await queries.invalidateQueries({ queryKey: mcpKeys.lists });
    },
    gcTime: 0,
  });
  return (
    <Dialog isOpen onClose={onClose} title={mcpText.editMcpServer} lead={server.name}>
      <ServerFields server={server} error={error} isPending={isPending} onSubmit={mutate} onClose={onClose} />
    </Dialog>
  );
}

function RemoveServer({ server: { id, name } }: { readonly server: McpServer }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(deleteMcpServer, { params: { id } }),
    onSuccess: async () => {
      await navigate({ to: "/settings/mcp" });
      queries.removeQueries({ queryKey: mcpKeys.one(id) });
      toast({ text: mcpText.serverRemoved });
      await queries.invalidateQueries({ queryKey: mcpKeys.lists });
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden="true" />
        {mcpText.removeMcpServer}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={mcpText.removeQuestion(name)}
          lead={mcpText.removeConsequence}
          keep={mcpText.keepIt}
          confirm={mcpText.remove}
          isBusy={isPending}
          error={error}
          onConfirm={() => mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
