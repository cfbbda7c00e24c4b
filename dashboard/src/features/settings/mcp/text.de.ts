import type { McpText } from "./text.ts";

export const german: McpText = {
  // mcp-server-page.tsx
  mcpServer: "MCP-Server",
  mcpServers: "MCP-Server",
  loadingServer: "MCP-Server wird geladen",
  disabled: "Agenten verwenden seine Tools nicht mehr.",
  enabled: "Agenten verwenden seine freigegebenen Tools wieder.",
  disable: "Deaktivieren",
  enable: "Aktivieren",
  tools: "Tools",
  readAgain: "Neu einlesen",
  toolsLead:
    "Sprachmodelle lesen, was der Server über seine Tools schreibt. Geben Sie ein Tool nur frei, wenn Agenten genau das tun sollen. Ändert der Server später Wortlaut oder Argumente, verwenden Agenten es erst nach erneuter Freigabe wieder.",
  toolsNotRead: "Die Tools wurden noch nicht eingelesen.",
  emptyTools: "Der Server bietet keine Tools an.",
  readOnly: "Liest nach eigener Angabe nur",
  withoutADescription: "Ohne Beschreibung.",
  approvedBefore: (description) => `Freigegeben war: ${description || "keine Beschreibung"}`,
  argumentsLabel: "Argumente",
  withdrawTool: (name) => `Freigabe von ${name} zurückziehen`,
  withdraw: "Zurückziehen",
  approveTool: (name) => `${name} freigeben`,
  approveAgain: "Erneut freigeben",
  approve: "Freigeben",
  additionalHeaders: "Zusätzliche Header",
  none: "Keine",
  toolTimeout: "Wartezeit eines Anrufs auf ein Tool",
  toolsLastRead: "Tools zuletzt eingelesen",
  notYet: "Noch nicht",
  added: "Hinzugefügt",
  about: "Details",
  edit: "Bearbeiten",
  editMcpServer: "MCP-Server bearbeiten",
  serverRemoved: "Der MCP-Server wurde entfernt.",
  removeMcpServer: "MCP-Server entfernen",
  removeQuestion: (name) => `${name} entfernen?`,
  removeConsequence:
    "Agenten können seine Tools nicht mehr verwenden, und seine Zugangsdaten werden gelöscht. Das lässt sich nicht rückgängig machen.",
  keepIt: "Behalten",
  remove: "Entfernen",

  // mcp-servers-page.tsx
  addMcpServer: "MCP-Server hinzufügen",
  lead: "Server des Model Context Protocol, deren Tools Ihre Agenten in Gesprächen verwenden dürfen.",
  servers: "Server",
  loadingServers: "MCP-Server werden geladen",
  noMcpServerYet: "Noch kein MCP-Server",
  emptyList:
    "Fügen Sie einen Server hinzu, der Streamable HTTP spricht. Sie prüfen jedes seiner Tools und geben es frei, bevor ein Agent es verwenden kann.",
  addLead: "Seine Tools werden sofort eingelesen. Keines wird verwendet, bevor Sie es freigeben.",

  // server-fields.tsx
  name: "Name",
  nameHint: "Kleinbuchstaben, Ziffern und Unterstriche. Abläufe verweisen mit diesem Namen auf den Server.",
  changedUrlHint: "Eine andere URL hebt alle Freigaben auf.",
  urlHint: "Der Server muss Streamable HTTP sprechen.",
  newHeaders: "Neue Header anstelle der bisherigen",
  headersOptional: "Header (optional)",
  headersExample: "Authorization: Bearer …",
  headersSent: (names) =>
    `Derzeit gesendet: ${names}. Die Werte werden nie angezeigt; leer lassen, um sie zu behalten.`,
  headersHint:
    "Einer pro Zeile, zum Beispiel Zugangsdaten. Werte werden verschlüsselt gespeichert, nie wieder angezeigt und nur an diesen Host gesendet.",
  cancel: "Abbrechen",
  save: "Speichern",

  // server-state.ts
  off: "Aus",
  changed: "Geändert",
  notRead: "Nicht eingelesen",
  inUse: "In Verwendung",
  toApprove: "Freizugeben",
  noTools: "Keine Tools",
  toolsApproved: (approved, all) => `${approved} von ${all} ${all === 1 ? "Tool" : "Tools"} freigegeben`,
  notApproved: "Nicht freigegeben",
  approved: "Freigegeben",
  changedSinceApproval: "Seit der Freigabe geändert",
  noLongerOffered: "Nicht mehr angeboten",
};
