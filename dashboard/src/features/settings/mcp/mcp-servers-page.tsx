import { MCP_SERVERS_MAX, type McpServer } from "@parley/contract/mcp-servers";
import { createMcpServer } from "@parley/contract/routes/mcp-servers";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plug, Plus } from "lucide-react";
import { useState } from "react";
import { send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { mcpKeys, mcpServersQuery } from "./mcp-queries.ts";
import { ServerFields, type ServerInput } from "./server-fields.tsx";
import { badgeOfServer, countTools } from "./server-state.ts";
import { mcpText } from "./text.ts";

/** Settings > MCP servers: whose tools agents may use. */
export function McpServersPage() {
  const servers = useInfiniteQuery(mcpServersQuery);
  const [isAdding, setAdding] = useState(false);
  const count = servers.data?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0;
  const add = (
    <Button look="primary" onClick={() => setAdding(true)} disabled={count >= MCP_SERVERS_MAX}>
      <Plus aria-hidden="true" />
      {mcpText.addMcpServer}
    </Button>
  );
  return (
    <Page title={mcpText.mcpServers} lead={mcpText.lead} actions={count > 0 ? add : null}>
      <Card title={mcpText.servers} isFlush>
        <PagedList
          list={servers}
          label={mcpText.loadingServers}
          empty={<EmptyState icon={<Plug />} title={mcpText.noMcpServerYet} text={mcpText.emptyList} action={add} />}
        >
          {(rows) => <ServerList servers={rows} />}
        </PagedList>
      </Card>
      {isAdding ? <AddServerDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

function ServerList({ servers }: { readonly servers: readonly McpServer[] }) {
  return (
    <ul className="mt-2 divide-y divide-line border-t border-line">
      {servers.map((server) => {
        const badge = badgeOfServer(server);
        return (
          <li
            key={server.id}
            className="relative flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-4 hover:bg-sunken/60 sm:px-5"
          >
            <div className="min-w-0 flex-1 basis-72">
              <Link
                to="/settings/mcp/$serverId"
                params={{ serverId: server.id }}
                className="font-medium break-all outline-offset-[-2px] after:absolute after:inset-0"
              >
                {server.name}
              </Link>
              <p className="text-sm break-all text-ink-soft">{server.url}</p>
            </div>
            <p className="min-w-0 text-sm text-ink-soft sm:w-56">{countTools(server)}</p>
            <span className="sm:w-32 sm:text-right">
              <Badge tone={badge.tone}>{badge.text}</Badge>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function AddServerDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ name = "", ...body }: ServerInput) => send(createMcpServer, { body: { name, ...body } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: mcpKeys.lists });
      onClose();
      void navigate({ to: "/settings/mcp/$serverId", params: { serverId: id } });
    },
    gcTime: 0,
  });
  return (
    <Dialog isOpen onClose={onClose} title={mcpText.addMcpServer} lead={mcpText.addLead}>
      <ServerFields server={null} error={error} isPending={isPending} onSubmit={mutate} onClose={onClose} />
    </Dialog>
  );
}
