import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // mcp-server-page.tsx
  mcpServer: "MCP server",
  mcpServers: "MCP servers",
  loadingServer: "Loading MCP server",
  disabled: "Agents no longer use its tools.",
  enabled: "Agents use its approved tools again.",
  disable: "Disable",
  enable: "Enable",
  tools: "Tools",
  readAgain: "Refresh",
  toolsLead:
    "Language models read the server’s descriptions of its tools. Approve a tool only if you want agents to use it as described. If the server later changes the description or the arguments of a tool, agents stop using it until you approve it again.",
  toolsNotRead: "The tools have not been loaded yet.",
  emptyTools: "The server offers no tools.",
  readOnly: "Read-only, says the server",
  withoutADescription: "No description.",
  approvedBefore: (description: string) => `Previously approved: ${description || "no description"}`,
  argumentsLabel: "Arguments",
  withdrawTool: (name: string) => `Revoke approval of ${name}`,
  withdraw: "Revoke approval",
  approveTool: (name: string) => `Approve ${name}`,
  approveAgain: "Approve again",
  approve: "Approve",
  additionalHeaders: "Additional headers",
  none: "None",
  toolTimeout: "Tool timeout",
  toolsLastRead: "Tools last loaded",
  notYet: "Not yet",
  added: "Added",
  about: "About",
  edit: "Edit",
  editMcpServer: "Edit MCP server",
  serverRemoved: "The MCP server was removed.",
  removeMcpServer: "Remove MCP server",
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeConsequence: "Agents can no longer use its tools, and its credentials are deleted. This cannot be undone.",
  keepIt: "Keep it",
  remove: "Remove",

  // mcp-servers-page.tsx
  addMcpServer: "Add MCP server",
  lead: "Model Context Protocol servers whose tools your agents can use in conversations.",
  servers: "Servers",
  loadingServers: "Loading MCP servers",
  noMcpServerYet: "No MCP servers yet",
  emptyList:
    "Add a server that supports streamable HTTP. You review and approve each of its tools before an agent can use it.",
  addLead: "Its tools are loaded immediately, and none is used until you approve it.",

  // server-fields.tsx
  name: "Name",
  nameHint: "Lowercase letters, digits and underscores. Flows refer to the server by this name.",
  changedUrlHint: "Changing the URL revokes all approvals.",
  urlHint: "It must support streamable HTTP.",
  newHeaders: "New headers, replacing the current ones",
  headersOptional: "Headers (optional)",
  headersExample: "Authorization: Bearer ...",
  headersSent: (names: string) =>
    `Currently sent: ${names}. Their values are never shown; leave this empty to keep them.`,
  headersHint:
    "One per line, such as credentials. Values are stored encrypted, never shown again and sent to this host only.",
  cancel: "Cancel",
  save: "Save",

  // server-state.ts
  off: "Disabled",
  changed: "Changed",
  notRead: "Not loaded",
  inUse: "In use",
  toApprove: "Needs approval",
  noTools: "No tools",
  toolsApproved: (approved: number, all: number) => `${approved} of ${all} ${all === 1 ? "tool" : "tools"} approved`,
  notApproved: "Not approved",
  approved: "Approved",
  changedSinceApproval: "Changed since approval",
  noLongerOffered: "No longer offered",
};

export type McpText = typeof english;

export const mcpText = inLanguage("settings/mcp", english);
