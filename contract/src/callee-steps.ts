import { z } from "zod";

const SaidLine = z.string().trim().min(1).max(1000);

/** What a callee does at its turn. Written as in the script of a simulated call, with two things that a person does not say. */
export const CalleeStep = z
  .union([
    z.strictObject({ say: SaidLine }),
    z.strictObject({
      interruptAfterMs: z
        .int()
        .min(0)
        .max(600_000)
        .meta({ description: "Speaks over the agent's latest words, when they have gone on for so long." }),
      say: SaidLine,
    }),
    z.strictObject({ press: z.string().regex(/^[0-9*#]{1,32}$/, "must be keys of a telephone") }),
    z.strictObject({
      silent: z.literal(true).meta({ description: "Says nothing until the agent speaks up by itself." }),
    }),
    z.strictObject({
      machine: z
        .enum(["voicemail", "ivr", "screening", "fax"])
        .meta({ description: "A machine has answered in place of a person. Only as the first step." }),
    }),
    z.strictObject({ hangUp: z.literal(true) }),
  ])
  .meta({ id: "CalleeStep", description: "What a callee does at its turn." });
export type CalleeStep = z.infer<typeof CalleeStep>;
export type AnsweringMachine = Extract<CalleeStep, { machine: unknown }>["machine"];

const CALLEE_STEPS_MAX = 100;

/** What a callee does in a whole call, in order. */
export const CalleeSteps = z
  .array(CalleeStep)
  .max(CALLEE_STEPS_MAX)
  .refine(
    (steps) => !steps.slice(1).some((step) => "machine" in step),
    "may have a machine as its first step only: whoever answers a call answers it at its beginning",
  )
  .refine(
    (steps) => !steps.slice(0, -1).some((step) => "hangUp" in step),
    "may hang up in its last step only: nothing is done after it",
  );

/** What is answered in place of a request of a tool, so that none is sent. */
export const ToolReplies = z
  .record(
    z.string().min(1).max(64),
    z.strictObject({
      status: z.int().min(100).max(599),
      body: z.unknown().optional().meta({ description: "Any JSON. Left out: an empty body." }),
    }),
  )
  .refine((map) => Object.keys(map).length <= 50, "must have at most 50 keys")
  .meta({
    id: "ToolReplies",
    description: "By the id of a `tool` node or the name of a tool: the reply it gets, in place of a request.",
  });
export type ToolReplies = z.infer<typeof ToolReplies>;
