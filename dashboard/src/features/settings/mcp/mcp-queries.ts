import { getMcpServer, listMcpServers } from "@parley/contract/routes/mcp-servers";
import { queryOptions } from "@tanstack/react-query";
import { pagesOf, send } from "../../../api/send.ts";

export const mcpKeys = { lists: ["mcp-servers"] as const, one: (id: string) => ["mcp-server", id] as const };

export const mcpServersQuery = pagesOf([...mcpKeys.lists], listMcpServers, {});

export const mcpServerQuery = (id: string) =>
  queryOptions({
    queryKey: mcpKeys.one(id),
    queryFn: ({ signal }) => send(getMcpServer, { params: { id }, signal }),
  });
