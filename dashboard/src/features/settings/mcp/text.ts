import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // mcp-server-page.tsx
  mcpServer: "MCP server",
  mcpServers: "MCP servers",
  loadingServer: "Loading the MCP server",
  disabled: "Agents no longer use its tools.",
  enabled: "Agents use its approved tools again.",
  disable: "Disable",
  enable: "Enable",
  tools: "Tools",
  readAgain: "Read again",
  toolsLead:
    "Language models read what the server writes about its tools. Approve a tool only if that is what you want agents to do. If the server changes its words or its arguments later, agents stop using it until you approve it again.",
  toolsNotRead: "The tools were not read yet.",
  emptyTools: "The server offers no tools.",
  readOnly: "Says it only reads",
  withoutADescription: "Without a description.",
  approvedBefore: (description: string) => `Approved was: ${description || "no description"}`,
  argumentsLabel: "Arguments",
  withdrawTool: (name: string) => `Withdraw the approval of ${name}`,
  withdraw: "Withdraw",
  approveTool: (name: string) => `Approve ${name}`,
  approveAgain: "Approve again",
  approve: "Approve",
  additionalHeaders: "Additional headers",
  none: "None",
  toolTimeout: "A call waits for a tool",
  toolsLastRead: "Tools last read",
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
  lead: "Servers of the Model Context Protocol whose tools your agents may use in conversations.",
  servers: "Servers",
  loadingServers: "Loading the MCP servers",
  noMcpServerYet: "No MCP server yet",
  emptyList:
    "Add a server that speaks streamable HTTP. You review and approve each of its tools before an agent can use it.",
  addLead: "Its tools are read immediately. None is used until you approve it.",

  // server-fields.tsx
  name: "Name",
  nameHint: "Lower-case letters, digits and underscores. Flows refer to the server by it.",
  changedUrlHint: "Another URL withdraws all approvals.",
  urlHint: "It must speak streamable HTTP.",
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
  off: "Off",
  changed: "Changed",
  notRead: "Not read",
  inUse: "In use",
  toApprove: "To approve",
  noTools: "No tools",
  toolsApproved: (approved: number, all: number) => `${approved} of ${all} ${all === 1 ? "tool" : "tools"} approved`,
  notApproved: "Not approved",
  approved: "Approved",
  changedSinceApproval: "Changed since approval",
  noLongerOffered: "No longer offered",
};

export type McpText = typeof english;

export const mcpText = inLanguage("settings/mcp", english);
