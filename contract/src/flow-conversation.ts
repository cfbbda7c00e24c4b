import { z } from "zod";
import { FlowName, GoesTo, global, interruptible, patience, placed, Text, ValueKind } from "./flow-fields.ts";
import { McpServerName, McpToolName } from "./mcp-servers.ts";

/** A condition in plain words that a language model evaluates. */
export const PromptExit = z.strictObject({
  when: z.string().max(1000).meta({ description: "In plain words, such as `the caller is in a hurry`." }),
  next: GoesTo,
});

/** A model may be configured later or removed after publishing, so any name is accepted; publishing warns about unknown ones. */
export const requestedModel = z
  .string()
  .max(300)
  .regex(/^[^\s,]+$/, "must be the name of a model, such as openai/gpt-5.4-mini")
  .optional()
  .meta({
    description:
      "The preferred language model, by its name in the list of engines, such as `openai/gpt-5.4-mini`. Default: the installation's first. If it is not configured, fails or does not respond in time, the others are used.",
  });

/** A tool of an MCP server of the account. */
const McpToolRef = z.strictObject({
  server: McpServerName.meta({ description: "The name of the MCP server." }),
  tool: McpToolName.meta({ description: "The name of the tool at that server." }),
});

/** A language model talks freely until one of the exits applies. */
export const ConversationNode = z.strictObject({
  ...placed,
  ...global,
  type: z.literal("conversation"),
  text: Text.optional().meta({ description: "Spoken on entering the node. Default: the model begins." }),
  prompt: z.string().max(20_000).meta({ description: "Instructions and knowledge for the model." }),
  model: requestedModel,
  tools: z
    .array(FlowName)
    .max(20)
    .optional()
    .meta({ description: "Names of the flow's tools that the model may use." }),
  mcpTools: z.array(McpToolRef).max(20).optional().meta({
    description: "Tools of the account's MCP servers that the model may use. Only approved ones are offered to it.",
  }),
  exits: z.array(PromptExit).max(20).default([]).meta({
    description: "When the conversation is over, in plain words, such as `the caller wants to book a table`.",
  }),
  saves: z
    .array(
      z.strictObject({
        saveAs: FlowName.meta({ description: "The name under which it is saved." }),
        kind: ValueKind.optional().meta({ description: "Default: `text`." }),
        description: z.string().max(500).optional().meta({ description: "Tells the model which value to provide." }),
      }),
    )
    .max(20)
    .optional()
    .meta({ description: "Values that the model provides when it leaves by an exit." }),
  turnsMax: z.int().min(1).max(100).optional().meta({ description: "Default: 30." }),
  optional: z.boolean().optional().meta({
    description:
      "Whether the flow can do without it: if no language model is configured, calls are accepted and continue at `otherwise`. Default: `false`.",
  }),
  otherwise: GoesTo.meta({ description: "The next node after `turnsMax` turns, or if no model is available." }),
  interruptible,
  patience,
});
export type ConversationNode = z.infer<typeof ConversationNode>;
