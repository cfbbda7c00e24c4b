import type { McpServer, McpTool } from "@parley/contract/mcp-servers";
import type { Tone } from "../../../ui/feedback/badge.tsx";
import { mcpText } from "./text.ts";

/** The state of a server in a word: what needs a member comes first. */
export function badgeOfServer({ isEnabled, checkedAt, problem, tools }: McpServer): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (!isEnabled) return { tone: "neutral", text: mcpText.off };
  if (tools.some(({ state }) => state === "changed" || state === "missing"))
    return { tone: "warning", text: mcpText.changed };
  if (checkedAt === null || (problem !== null && tools.length === 0)) return { tone: "danger", text: mcpText.notRead };
  if (tools.some(({ state }) => state === "approved")) return { tone: "accent", text: mcpText.inUse };
  return { tone: "neutral", text: mcpText.toApprove };
}

export function countTools({ tools }: McpServer): string {
  const approved = tools.filter(({ state }) => state === "approved").length;
  return tools.length === 0 ? mcpText.noTools : mcpText.toolsApproved(approved, tools.length);
}

export const TOOL_STATES: Readonly<Record<McpTool["state"], { readonly tone: Tone; readonly text: string }>> = {
  new: { tone: "neutral", text: mcpText.notApproved },
  approved: { tone: "accent", text: mcpText.approved },
  changed: { tone: "warning", text: mcpText.changedSinceApproval },
  missing: { tone: "warning", text: mcpText.noLongerOffered },
};
