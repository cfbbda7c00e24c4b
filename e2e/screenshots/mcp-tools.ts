import { FIND_TOOL, type McpFarEnd } from "@parley/server/agents/mcp/testing/mcp-far-end";

/** What the customer database of the demo offers to agents. */
export const MCP_TOOLS: McpFarEnd["tools"] = [
  FIND_TOOL,
  {
    name: "list_appointments",
    description: "Lists the free appointments of a day.",
    inputSchema: { type: "object", properties: { day: { type: "string", format: "date" } }, required: ["day"] },
    annotations: { readOnlyHint: true },
  },
  {
    name: "book_appointment",
    description: "Books an appointment for a customer.",
    inputSchema: {
      type: "object",
      properties: { customerId: { type: "string" }, start: { type: "string", format: "date-time" } },
      required: ["customerId", "start"],
    },
  },
];
