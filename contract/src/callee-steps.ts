import { z } from "zod";

const SaidLine = z.string().trim().min(1).max(1000);

/** What a callee does in its turn: the steps of a simulated call's script, plus silence and a machine that answers. */
export const CalleeStep = z
  .union([
    z.strictObject({ say: SaidLine }),
    z.strictObject({
      interruptAfterMs: z
        .int()
        .min(0)
        .max(600_000)
        .meta({ description: "Speaks over the agent after it has been speaking for this long." }),
      say: SaidLine,
    }),
    z.strictObject({ press: z.string().regex(/^[0-9*#]{1,32}$/, "must be keys of a telephone keypad") }),
    z.strictObject({
      silent: z.literal(true).meta({ description: "Says nothing until the agent speaks again." }),
    }),
    z.strictObject({
      machine: z
        .enum(["voicemail", "ivr", "screening", "fax"])
        .meta({ description: "A machine answers instead of a person. Only as the first step." }),
    }),
    z.strictObject({ hangUp: z.literal(true) }),
  ])
  .meta({ id: "CalleeStep", description: "What a callee does in its turn." });
export type CalleeStep = z.infer<typeof CalleeStep>;
export type AnsweringMachine = Extract<CalleeStep, { machine: unknown }>["machine"];

const CALLEE_STEPS_MAX = 100;

/** All steps of a callee in a call, in order. */
export const CalleeSteps = z
  .array(CalleeStep)
  .max(CALLEE_STEPS_MAX)
  .refine((steps) => !steps.slice(1).some((step) => "machine" in step), "may have a machine only as its first step")
  .refine((steps) => !steps.slice(0, -1).some((step) => "hangUp" in step), "may hang up only in its last step");

/** Replies that replace tool requests, so that none is sent. */
export const ToolReplies = z
  .record(
    z.string().min(1).max(64),
    z.strictObject({
      status: z.int().min(100).max(599),
      body: z.unknown().optional().meta({ description: "Any JSON. Default: an empty body." }),
    }),
  )
  .refine((map) => Object.keys(map).length <= 50, "must have at most 50 keys")
  .meta({
    id: "ToolReplies",
    description: "Replies by the id of a `tool` node or the name of a tool, used instead of sending a request.",
  });
export type ToolReplies = z.infer<typeof ToolReplies>;
