import { z } from "zod";
import { FlowName, GoesTo, global, interruptible, Phrases, patience, placed, Retries, Text } from "./flow-fields.ts";

const ANSWER_KINDS = [
  "yes_no",
  "number",
  "date",
  "time",
  "phone",
  "email",
  "name",
  "choice",
  "free_text",
  "digits",
] as const;

const AskExit = z.strictObject({
  when: z
    .string()
    .min(1)
    .max(120)
    .meta({ description: "As it is kept: `yes`, `3`, `2026-01-31`, or what can be chosen." }),
  next: GoesTo,
  phrases: Phrases.optional().meta({ description: "Other ways to say it, for `yes_no` and `choice`." }),
  key: z
    .string()
    .regex(/^[0-9*#]$/, "must be one key of a telephone")
    .optional()
    .meta({ description: "The key that means it, for `choice`. Without any, choices are counted from 1." }),
});

export const AskNode = z.strictObject({
  ...placed,
  ...global,
  type: z.literal("ask"),
  text: Text.meta({ description: "As it is asked. `{{name}}` stands for a value." }),
  reworded: Text.optional().meta({ description: "The question in other words, for a callee who asks back." }),
  answer: z.enum(ANSWER_KINDS).meta({ description: "Decides how what the callee says is understood." }),
  saveAs: FlowName.optional().meta({ description: "Name under which the answer is collected." }),
  exits: z.array(AskExit).max(20).default([]).meta({
    description: "Where to go for which answer: `yes`, `no`, or one of the choices.",
  }),
  next: GoesTo.meta({ description: "Where to go with an answer that has no exit of its own. Default: `otherwise`." }),
  otherwise: GoesTo.meta({ description: "Where to go for any other answer." }),
  retries: Retries.optional().meta({
    description: "Before an answer that was not understood goes on at `otherwise`. Default: the agent's setting.",
  }),
  confirm: z
    .strictObject({
      text: Text.optional().meta({ description: "With `{{answer}}`. Default: `So that is {{answer}}, right?`" }),
    })
    .optional()
    .meta({ description: "Reads the answer back, and takes it only after a yes. Not for `yes_no`." }),
  range: z
    .strictObject({ min: z.number().optional(), max: z.number().optional() })
    .optional()
    .meta({ description: "For `number`: what is outside of it was not understood." }),
  digits: z
    .strictObject({ min: z.int().min(1).max(40), max: z.int().min(1).max(40) })
    .optional()
    .meta({ description: "For `digits`: how many there are." }),
  dates: z
    .enum(["ahead", "behind"])
    .optional()
    .meta({ description: "For `date`: where a day without a year lies. Default: `ahead`." }),
  interruptible,
  patience,
});
export type AskNode = z.infer<typeof AskNode>;
