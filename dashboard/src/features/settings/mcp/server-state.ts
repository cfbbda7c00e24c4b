import type { McpServer, McpTool } from "@parley/contract/mcp-servers";
import type { Tone } from "../../../ui/feedback/badge.tsx";

/** The state of a server in a word: what needs a member comes first. */
export function badgeOfServer({ isEnabled, checkedAt, problem, tools }: McpServer): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (!isEnabled) return { tone: "neutral", text: "Off" };
  if (tools.some(({ state }) => state === "changed" || state === "missing"))
    return { tone: "warning", text: "Changed" };
  if (checkedAt === null || (problem !== null && tools.length === 0)) return { tone: "danger", text: "Not read" };
  if (tools.some(({ state }) => state === "approved")) return { tone: "accent", text: "In use" };
  return { tone: "neutral", text: "To approve" };
}

export function countTools({ tools }: McpServer): string {
  const approved = tools.filter(({ state }) => state === "approved").length;
  const noun = tools.length === 1 ? "tool" : "tools";
  return tools.length === 0 ? "No tools" : `${approved} of ${tools.length} ${noun} approved`;
}

export const TOOL_STATES: Readonly<Record<McpTool["state"], { readonly tone: Tone; readonly text: string }>> = {
  new: { tone: "neutral", text: "Not approved" },
  approved: { tone: "accent", text: "Approved" },
  changed: { tone: "warning", text: "Changed since approval" },
  missing: { tone: "warning", text: "No longer offered" },
};
