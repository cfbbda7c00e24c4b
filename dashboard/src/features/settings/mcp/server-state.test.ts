import type { McpServer, McpTool } from "@parley/contract/mcp-servers";
import { describe, expect, it } from "vitest";
import { badgeOfServer, countTools } from "./server-state.ts";

const tool = (state: McpTool["state"]) => ({ name: "find", state }) as McpTool;
const server = (more: Partial<McpServer>) =>
  ({ isEnabled: true, checkedAt: "2026-03-02T12:00:00.000Z", problem: null, tools: [], ...more }) as McpServer;

describe("the state of an MCP server", () => {
  it.each<[string, Partial<McpServer>]>([
    ["Disabled", { isEnabled: false, tools: [tool("changed")] }],
    ["Changed", { tools: [tool("approved"), tool("changed")] }],
    ["Changed", { tools: [tool("missing")] }],
    ["Not loaded", { checkedAt: null }],
    ["Not loaded", { problem: "The server did not answer in time." }],
    ["In use", { tools: [tool("new"), tool("approved")] }],
    ["Needs approval", { tools: [tool("new")] }],
  ])("is “%s”", (text, more) => {
    expect(badgeOfServer(server(more)).text).toBe(text);
  });

  it("counts what agents can use", () => {
    expect(countTools(server({ tools: [tool("new"), tool("approved"), tool("changed")] }))).toBe(
      "1 of 3 tools approved",
    );
    expect(countTools(server({}))).toBe("No tools");
  });
});
