import { z } from "zod";
import { FlowWarning } from "./agents.ts";
import { CalleeStep, ToolReplies } from "./callee-steps.ts";
import { EndReason } from "./calls.ts";
import { Flow } from "./flow.ts";
import { FlowRequest, SavedValue } from "./flow-request.ts";
import { decisionFields, enteredFields } from "./transcripts.ts";

export const TryVariables = z
  .record(z.string().min(1).max(64), z.string().max(2000))
  .refine((map) => Object.keys(map).length <= 100, "must have at most 100 keys")
  .meta({ description: "Values for `{{name}}` placeholders, as in a call." });

/** The flow to try: at most one of the two. */
export const triedFlow = {
  flow: Flow.optional().meta({ description: "The document to try, saved or not. Default: the draft." }),
  version: z.int().min(1).max(1_000_000).optional().meta({ description: "A published version to try." }),
};
export const isOneFlow = (tried: { readonly flow?: unknown; readonly version?: unknown }) =>
  tried.flow === undefined || tried.version === undefined;
export const ONE_FLOW_RULE = { error: "must contain a flow or a version, not both", path: ["version"] };

export const CollectedValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type CollectedValue = z.infer<typeof CollectedValue>;
export const CollectedValues = z.record(z.string(), CollectedValue);
export type CollectedValues = z.infer<typeof CollectedValues>;

export const TryTurn = z
  .strictObject({
    ...triedFlow,
    language: z
      .string()
      .regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language tag such as en or en-US")
      .optional()
      .meta({ description: "Default: the agent's." }),
    variables: TryVariables.optional().meta({ description: "Only with the first turn; later turns keep them." }),
    state: z.string().min(1).max(1_000_000).optional().meta({
      description:
        "`state` of the previous turn. Without it, a conversation begins, and the response is the agent's opening.",
    }),
    callee: CalleeStep.optional().meta({
      description: "What the callee does. Required with a `state`. A machine can only answer in the first turn.",
    }),
    toolReplies: ToolReplies.optional().meta({
      description: "Tools listed here send no request; all others do.",
    }),
  })
  .refine(isOneFlow, ONE_FLOW_RULE)
  .meta({ id: "TryTurn" });
export type TryTurn = z.infer<typeof TryTurn>;

/** What an agent does in a turn, in order. */
export const TryEvent = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("node"), ...enteredFields }),
    z.strictObject({ type: z.literal("decision"), ...decisionFields }),
    z.strictObject({
      type: z.literal("said"),
      nodeId: z.string().nullable().meta({ description: "The current node when it was said." }),
      text: z.string(),
    }),
    z.strictObject({
      type: z.literal("cut_off"),
      heardText: z.string().meta({ description: "The part of the agent's last words that the callee heard." }),
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
      isGiven: z.boolean().meta({ description: "Whether the reply came from `toolReplies`, without a request." }),
    }),
    z.strictObject({ type: z.literal("pressed"), keys: z.string() }),
    z.strictObject({ type: z.literal("transfer"), to: z.string(), how: z.enum(["refer", "bridge", "auto"]) }),
    z.strictObject({
      type: z.literal("language_noticed").meta({ description: "The callee speaks another language than the agent." }),
      language: z.string().meta({ description: "An ISO 639-1 code." }),
    }),
    z.strictObject({
      type: z.literal("suppressed").meta({ description: "A call would add the number to the suppression list." }),
    }),
    z.strictObject({
      type: z.literal("fault"),
      text: z.string().meta({ description: "A failure from which the conversation recovered." }),
    }),
  ])
  .meta({ id: "TryEvent" });
export type TryEvent = z.infer<typeof TryEvent>;

export const TryReply = z
  .strictObject({
    state: z.string().meta({ description: "Send it with the next turn. The service stores nothing." }),
    events: z.array(TryEvent),
    said: z.string().meta({ description: "Everything that the agent said in this turn." }),
    nodeId: z.string().nullable().meta({ description: "The current node." }),
    path: z.array(z.string()).meta({ description: "The nodes visited in this turn, in order." }),
    collected: CollectedValues.meta({ description: "All values collected so far." }),
    variables: z.record(z.string(), z.string()),
    expects: z
      .strictObject({
        kind: z.string().meta({ example: "yes_no" }),
        answers: z.array(z.string()).meta({ description: "Expected phrases." }),
        takesKeys: z.boolean(),
      })
      .nullable()
      .meta({ description: "What the agent expects next; `null` if nothing." }),
    ended: z
      .strictObject({ reason: EndReason, by: z.enum(["agent", "callee", "service"]) })
      .nullable()
      .meta({ description: "How the call would have ended; `null` while it continues." }),
    warnings: z.array(FlowWarning),
  })
  .meta({ id: "TryReply" });
export type TryReply = z.infer<typeof TryReply>;

export const ToolTrial = z
  .strictObject({
    request: FlowRequest,
    saves: z.array(SavedValue).max(20).default([]),
    values: CollectedValues.default({}).meta({
      description: "Values for `{{name}}` placeholders: variables and collected values.",
    }),
  })
  .meta({ id: "ToolTrial" });
export type ToolTrial = z.infer<typeof ToolTrial>;

export const ToolTrialResult = z
  .strictObject({
    sent: z.strictObject({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()).meta({ description: "The headers of the flow; a signature is added." }),
      body: z.string().nullable(),
    }),
    ok: z.boolean().meta({ description: "Whether a call would continue at `next`: a status from 200 to 299." }),
    status: z.int().nullable().meta({ description: "`null` without a reply." }),
    durationMs: z.int(),
    excerpt: z.string().meta({ description: "The first 4000 characters of the reply." }),
    isCut: z.boolean().meta({ description: "Whether the reply is longer than the excerpt." }),
    saved: CollectedValues.meta({
      description: "The values that a call would save; `null` if missing or of another type.",
    }),
    failure: z.string().nullable().meta({ description: "Why there was no reply." }),
  })
  .meta({ id: "ToolTrialResult" });
export type ToolTrialResult = z.infer<typeof ToolTrialResult>;
