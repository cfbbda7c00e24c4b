import { z } from "zod";
import { MessageParts } from "./errors.ts";
import { Flow } from "./flow.ts";
import { idSchema } from "./ids.ts";
import { Name, PageQuery, Timestamp } from "./shared-fields.ts";

/** The fields of an agent other than its flow. */
export const agentFields = {
  description: z.string().max(2000),
  engine: z.string().min(1).max(64),
  language: z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language tag such as en or en-US"),
};
const { description, engine, language } = agentFields;

export const AgentChanges = z
  .strictObject({
    name: Name.optional(),
    description: description.optional(),
    engine: engine.nullable().optional(),
    language: language.optional(),
    flow: Flow.optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "AgentChanges" });
export type AgentChanges = z.infer<typeof AgentChanges>;

export const AgentSummary = z
  .strictObject({
    id: idSchema("agent"),
    name: z.string(),
    description: z.string(),
    engine: z.string().nullable(),
    language: z.string(),
    revision: z.int().meta({ description: "The revision of the draft; send it as `If-Match` when you change it." }),
    publishedVersion: z.int().nullable(),
    publishedRevision: z.int().nullable().meta({
      description:
        "The revision whose flow, engine and language are published. If `revision` differs, the draft is newer.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "AgentSummary" });
export type AgentSummary = z.infer<typeof AgentSummary>;

export const Agent = z
  .strictObject({ ...AgentSummary.shape, flow: Flow.meta({ description: "The draft." }) })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;

export const AgentVersionSummary = z
  .strictObject({
    id: idSchema("agentVersion"),
    agentId: idSchema("agent"),
    version: z.int(),
    note: z.string(),
    engine: z.string().nullable(),
    language: z.string(),
    published: z.boolean().meta({ description: "Whether new calls use this version." }),
    createdAt: Timestamp,
  })
  .meta({ id: "AgentVersionSummary" });
export type AgentVersionSummary = z.infer<typeof AgentVersionSummary>;

export const AgentVersion = z.strictObject({ ...AgentVersionSummary.shape, flow: Flow }).meta({ id: "AgentVersion" });
export type AgentVersion = z.infer<typeof AgentVersion>;

/** An issue that does not prevent publishing but affects calls. */
export const FlowWarning = z
  .strictObject({
    param: z.string().meta({ description: "Its location, such as `flow.nodes[2]` or `language`." }),
    code: z.enum([
      "no_model",
      "unknown_model",
      "unused_variable",
      "unused_tool",
      "missing_answer",
      "loop_without_question",
      "nothing_offered",
      "indistinct_exits",
      "hidden_machine",
      "unspoken_language",
      "untranslated_text",
      "unsuited_engine",
      "no_other_voice",
      "unusable_mcp_tool",
      "vague_exit",
      "misunderstood_phrase",
    ]),
    message: z.string(),
    parts: MessageParts.optional(),
  })
  .meta({ id: "FlowWarning" });
export type FlowWarning = z.infer<typeof FlowWarning>;

export const CheckFlow = z
  .strictObject({ flow: Flow.optional().meta({ description: "Checked in place of the draft." }) })
  .meta({ id: "CheckFlow" });

export const FlowCheck = z
  .strictObject({
    problems: z
      .array(
        z.strictObject({ param: z.string(), code: z.string(), message: z.string(), parts: MessageParts.optional() }),
      )
      .meta({ description: "Reasons why the flow cannot be published." }),
    warnings: z.array(FlowWarning),
  })
  .meta({ id: "FlowCheck" });
export type FlowCheck = z.infer<typeof FlowCheck>;

export const DescribeAgent = z
  .strictObject({
    description: z.string().trim().min(10).max(4000).meta({
      description: "What the agent should do, in plain words.",
      example: "Calls patients the day before their appointment, and asks whether they come, move it or cancel.",
    }),
  })
  .meta({ id: "DescribeAgent" });

export const DescribedFlow = z
  .strictObject({ flow: Flow, ...FlowCheck.shape })
  .meta({ id: "DescribedFlow", description: "A flow that a language model wrote, and what the compiler says to it." });

export const PublishedVersion = z
  .strictObject({ ...AgentVersion.shape, warnings: z.array(FlowWarning) })
  .meta({ id: "PublishedVersion" });
export type PublishedVersion = z.infer<typeof PublishedVersion>;

export const PublishAgent = z.strictObject({ note: z.string().max(500).default("") }).meta({ id: "PublishAgent" });
export const RollbackAgent = z.strictObject({ version: z.int().min(1).max(1_000_000) }).meta({ id: "RollbackAgent" });

export const ToolSecret = z
  .strictObject({
    secret: z.string().meta({ description: "Signs tool requests according to Standard Webhooks." }),
    previousSecret: z.string().nullable(),
    previousSecretUntil: Timestamp.nullable().meta({
      description: "Until then requests are also signed with the previous secret.",
    }),
  })
  .meta({ id: "ToolSecret" });
export type ToolSecret = z.infer<typeof ToolSecret>;

export const AgentQuery = z.strictObject(PageQuery);
