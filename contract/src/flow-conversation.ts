import { z } from "zod";
import { FlowName, GoesTo, global, interruptible, patience, placed, Text, ValueKind } from "./flow-fields.ts";

/** A condition in plain words, for a language model to judge. */
export const PromptExit = z.strictObject({
  when: z.string().max(1000).meta({ description: "In plain words, such as `the caller is in a hurry`." }),
  next: GoesTo,
});

/** A draft may name what is set up later, and a version outlives what was set up: any name is taken, and warned of. */
export const wishedModel = z
  .string()
  .max(300)
  .regex(/^[^\s,]+$/, "must be the name of a model, such as openai/gpt-5.4-mini")
  .optional()
  .meta({
    description:
      "The language model to ask first, by its name in the list of engines, such as `openai/gpt-5.4-mini`. Default: the installation's first. Where it is not set up, fails or says nothing in time, the others are asked.",
  });

/** A language model speaks for itself until one of the exits applies. */
export const ConversationNode = z.strictObject({
  ...placed,
  ...global,
  type: z.literal("conversation"),
  text: Text.optional().meta({ description: "What is said on entering. Default: the model begins." }),
  prompt: z.string().max(20_000).meta({ description: "What the model is to do, and what it has to know." }),
  model: wishedModel,
  tools: z.array(FlowName).max(20).optional().meta({ description: "Names of the flow's tools it may use." }),
  exits: z.array(PromptExit).max(20).default([]).meta({
    description: "When the conversation is over, in plain words such as `the caller wants to book a table`.",
  }),
  saves: z
    .array(
      z.strictObject({
        saveAs: FlowName.meta({ description: "Name under which it is collected." }),
        kind: ValueKind.optional().meta({ description: "Default: `text`." }),
        description: z.string().max(500).optional().meta({ description: "Tells the model what to put there." }),
      }),
    )
    .max(20)
    .optional()
    .meta({ description: "What the model collects, and hands over when it leaves by an exit." }),
  turnsMax: z.int().min(1).max(100).optional().meta({ description: "Default: 30." }),
  otherwise: GoesTo.meta({ description: "Where to go after so many turns, or when no model can be had." }),
  interruptible,
  patience,
});
export type ConversationNode = z.infer<typeof ConversationNode>;
