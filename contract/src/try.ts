import { z } from "zod";
import { FlowWarning } from "./agents.ts";
import { CalleeStep, ToolReplies } from "./callee-steps.ts";
import { EndReason } from "./calls.ts";
import { Flow } from "./flow.ts";
import { FlowRequest, SavedValue } from "./flow-request.ts";
import { decisionFields } from "./transcripts.ts";

export const TryVariables = z
  .record(z.string().min(1).max(64), z.string().max(2000))
  .refine((map) => Object.keys(map).length <= 100, "must have at most 100 keys")
  .meta({ description: "Filled into `{{name}}`, as in a call." });

/** Which flow is tried: at most one of the two. */
export const triedFlow = {
  flow: Flow.optional().meta({ description: "The document to try, saved or not. Default: the draft." }),
  version: z.int().min(1).max(1_000_000).optional().meta({ description: "A published version to try." }),
};
export const isOneFlow = (tried: { readonly flow?: unknown; readonly version?: unknown }) =>
  tried.flow === undefined || tried.version === undefined;
export const ONE_FLOW_RULE = { error: "must name a flow or a version, not both", path: ["version"] };

export const CollectedValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type CollectedValues = z.infer<typeof CollectedValues>;

export const TryTurn = z
  .strictObject({
    ...triedFlow,
    language: z
      .string()
      .regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language tag such as en or en-US")
      .optional()
      .meta({ description: "Default: the agent's." }),
    variables: TryVariables.optional().meta({ description: "Only with the first turn; they stay as they are." }),
    state: z.string().min(1).max(1_000_000).optional().meta({
      description: "`state` of the turn before. Left out: the call begins, and the answer is how the agent opens it.",
    }),
    callee: CalleeStep.optional().meta({
      description: "What the callee does. Required with a `state`. A machine can answer only when the call begins.",
    }),
    toolReplies: ToolReplies.optional().meta({
      description: "Tools named here are not asked; all others are, by a real request.",
    }),
  })
  .refine(isOneFlow, ONE_FLOW_RULE)
  .meta({ id: "TryTurn" });
export type TryTurn = z.infer<typeof TryTurn>;

/** What an agent does in a turn, in the order in which it does it. */
export const TryEvent = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("node"), nodeId: z.string() }),
    z.strictObject({ type: z.literal("decision"), ...decisionFields }),
    z.strictObject({
      type: z.literal("said"),
      nodeId: z.string().nullable().meta({ description: "Where the conversation was when it was said." }),
      text: z.string(),
    }),
    z.strictObject({
      type: z.literal("cut_off"),
      heardText: z.string().meta({ description: "What the callee had heard of the agent's last words." }),
    }),
    z.strictObject({
      type: z.literal("collected"),
      name: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    }),
    z.strictObject({ type: z.literal("tool_call"), id: z.string(), name: z.string(), input: z.unknown() }),
    z.strictObject({
      type: z.literal("tool_result"),
      id: z.string(),
      name: z.string(),
      ok: z.boolean(),
      output: z.unknown(),
      isGiven: z.boolean().meta({ description: "Whether it came from `toolReplies`, and nothing was sent." }),
    }),
    z.strictObject({ type: z.literal("pressed"), keys: z.string() }),
    z.strictObject({ type: z.literal("transfer"), to: z.string(), how: z.enum(["refer", "bridge", "auto"]) }),
    z.strictObject({
      type: z.literal("suppressed").meta({ description: "A call would put the number on the suppression list." }),
    }),
    z.strictObject({
      type: z.literal("fault"),
      text: z.string().meta({ description: "What failed and was survived." }),
    }),
  ])
  .meta({ id: "TryEvent" });
export type TryEvent = z.infer<typeof TryEvent>;

export const TryReply = z
  .strictObject({
    state: z.string().meta({ description: "Send it back with the next turn. The service keeps nothing." }),
    events: z.array(TryEvent),
    said: z.string().meta({ description: "All that the agent said in this turn." }),
    nodeId: z.string().nullable().meta({ description: "Where the conversation is now." }),
    path: z.array(z.string()).meta({ description: "The nodes that this turn went through, in order." }),
    collected: CollectedValues.meta({ description: "All that was collected so far." }),
    variables: z.record(z.string(), z.string()),
    expects: z
      .strictObject({
        kind: z.string().meta({ example: "yes_no" }),
        answers: z.array(z.string()).meta({ description: "Phrases that would be no surprise." }),
        takesKeys: z.boolean(),
      })
      .nullable()
      .meta({ description: "What the agent waits for; `null` when it waits for nothing." }),
    ended: z
      .strictObject({ reason: EndReason, by: z.enum(["agent", "callee", "service"]) })
      .nullable()
      .meta({ description: "How the call would have ended; `null` while it goes on." }),
    warnings: z.array(FlowWarning),
  })
  .meta({ id: "TryReply" });
export type TryReply = z.infer<typeof TryReply>;

export const ToolTrial = z
  .strictObject({
    request: FlowRequest,
    saves: z.array(SavedValue).max(20).default([]),
    values: CollectedValues.default({}).meta({
      description: "Filled into `{{name}}`: variables and collected values.",
    }),
  })
  .meta({ id: "ToolTrial" });
export type ToolTrial = z.infer<typeof ToolTrial>;

export const ToolTrialResult = z
  .strictObject({
    sent: z.strictObject({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()).meta({ description: "Those of the flow; a signature comes on top." }),
      body: z.string().nullable(),
    }),
    ok: z.boolean().meta({ description: "Whether a call would go on at `next`: a status from 200 to 299." }),
    status: z.int().nullable().meta({ description: "`null` when there was no reply." }),
    durationMs: z.int(),
    excerpt: z.string().meta({ description: "The first 4000 characters of the reply." }),
    isCut: z.boolean().meta({ description: "Whether the reply goes on after the excerpt." }),
    saved: CollectedValues.meta({
      description: "What a call would keep; `null` where it is not there or does not fit.",
    }),
    failure: z.string().nullable().meta({ description: "Why there was no reply, in words." }),
  })
  .meta({ id: "ToolTrialResult" });
export type ToolTrialResult = z.infer<typeof ToolTrialResult>;
