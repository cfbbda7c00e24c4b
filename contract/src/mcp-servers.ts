import { z } from "zod";
import { idSchema } from "./ids.ts";
import { PageQuery, Timestamp } from "./shared-fields.ts";

/** The maximum number of servers per account. */
export const MCP_SERVERS_MAX = 20;
/** Tools beyond this number are left out. */
export const MCP_TOOLS_MAX = 100;

/** By this name flows refer to a server. */
export const McpServerName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,31}$/,
    "must be up to 32 lower-case letters, digits and underscores, beginning with a letter",
  );

/** The characters that the protocol recommends for names of tools. */
export const McpToolName = z
  .string()
  .regex(/^[A-Za-z0-9_./-]{1,128}$/, "must be up to 128 letters, digits, underscores, dots, slashes and hyphens");

const url = z.string().min(1).max(2048).meta({
  description:
    "The address of the server, which speaks streamable HTTP: https on the public internet, unless the operator allows more.",
  example: "https://crm.example/mcp",
});
const headers = z
  .record(z.string().min(1).max(100), z.string().max(4000))
  .refine((map) => Object.keys(map).length <= 20, "must have at most 20 headers")
  .meta({
    description:
      "Sent with each request to this server, for example for authentication. Their values are never shown again, and must be sent again if `url` changes to another host.",
  });
const timeoutMs = z.int().min(500).max(15_000).meta({
  description: "How long a call waits for a tool, including the time to connect.",
});

export const NewMcpServer = z
  .strictObject({
    name: McpServerName.meta({ description: "The name by which flows refer to the server.", example: "crm" }),
    url,
    headers: headers.default({}),
    timeoutMs: timeoutMs.default(8000),
    isEnabled: z.boolean().default(true),
  })
  .meta({ id: "NewMcpServer" });
export type NewMcpServer = z.infer<typeof NewMcpServer>;

export const McpServerChanges = z
  .strictObject({ url, headers, timeoutMs, isEnabled: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "McpServerChanges" });
export type McpServerChanges = z.infer<typeof McpServerChanges>;

/** What a server says about a tool, and what a member approves. */
export const McpToolDefinition = z
  .strictObject({
    title: z.string().nullable(),
    description: z.string().meta({ description: "Language models read it, as written by the server." }),
    inputSchema: z.record(z.string(), z.unknown()).meta({ description: "The JSON schema of its arguments." }),
    isReadOnly: z.boolean().meta({ description: "Whether the server claims that the tool changes nothing." }),
  })
  .meta({ id: "McpToolDefinition" });
export type McpToolDefinition = z.infer<typeof McpToolDefinition>;

export const McpTool = z
  .strictObject({
    name: z.string(),
    state: z.enum(["new", "approved", "changed", "missing"]).meta({
      description:
        "`new`: not approved, agents cannot use it. `approved`: agents can use it. `changed`: the server describes it differently than when it was approved; agents cannot use it until it is approved again. `missing`: it was approved, and the server no longer offers it.",
    }),
    definition: McpToolDefinition.meta({ description: "As the server described it last." }),
    digest: z.string().meta({ description: "Identifies this definition; sent with an approval." }),
    approvedDefinition: McpToolDefinition.nullable().meta({ description: "As it was approved." }),
    approvedAt: Timestamp.nullable(),
    approvedBy: z.string().nullable().meta({ description: "The member who approved it." }),
  })
  .meta({ id: "McpTool" });
export type McpTool = z.infer<typeof McpTool>;

export const McpServer = z
  .strictObject({
    id: idSchema("mcpServer"),
    name: z.string(),
    url: z.string(),
    headerNames: z.array(z.string()),
    timeoutMs: z.int(),
    isEnabled: z.boolean(),
    tools: z.array(McpTool),
    checkedAt: Timestamp.nullable().meta({ description: "When its tools were last read." }),
    problem: z.string().nullable().meta({ description: "Why its tools could not be read, or which were left out." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "McpServer", description: "A server of the Model Context Protocol whose tools agents may use." });
export type McpServer = z.infer<typeof McpServer>;

export const McpApprovals = z
  .strictObject({
    approve: z
      .array(z.strictObject({ name: z.string().min(1).max(128), digest: z.string().min(1).max(128) }))
      .max(MCP_TOOLS_MAX)
      .default([])
      .meta({ description: "Tools to approve, each with the digest of the definition that was read." }),
    revoke: z.array(z.string().min(1).max(128)).max(MCP_TOOLS_MAX).default([]).meta({
      description: "Names of tools whose approval is withdrawn.",
    }),
  })
  .refine(({ approve, revoke }) => approve.length + revoke.length > 0, "must approve or revoke at least one tool")
  .meta({ id: "McpApprovals" });
export type McpApprovals = z.infer<typeof McpApprovals>;

export const McpServerQuery = z.strictObject({ ...PageQuery });
