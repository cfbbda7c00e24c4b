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
    .meta({ description: "The answer: `yes`, `3`, `2026-01-31`, or an option of a choice." }),
  next: GoesTo,
  phrases: Phrases.optional().meta({ description: "Alternative phrases, for `yes_no` and `choice`." }),
  readBack: z.string().min(1).max(160).optional().meta({
    description:
      "The choice as the agent says it back, such as `you'd like to come another day`. Default: made from `when`.",
  }),
  key: z
    .string()
    .regex(/^[0-9*#]$/, "must be one key of a telephone keypad")
    .optional()
    .meta({ description: "The key for this option, for `choice`. If no exit has a key, options are numbered from 1." }),
});

export const AskNode = z.strictObject({
  ...placed,
  ...global,
  type: z.literal("ask"),
  text: Text.meta({ description: "The question, with `{{name}}` placeholders." }),
  reworded: Text.optional().meta({
    description: "The question in other words, for a callee who did not understand it.",
  }),
  answer: z.enum(ANSWER_KINDS).meta({ description: "The type of the answer, which determines how it is understood." }),
  saveAs: FlowName.optional().meta({ description: "The name under which the answer is saved." }),
  exits: z.array(AskExit).max(20).default([]).meta({
    description: "The next node for each answer: `yes`, `no`, or an option of a choice.",
  }),
  next: GoesTo.meta({ description: "The next node for an answer without an exit of its own. Default: `otherwise`." }),
  otherwise: GoesTo.meta({ description: "The next node for any other answer." }),
  retries: Retries.optional().meta({
    description:
      "How often the question is asked again before the call continues at `otherwise`. Default: the agent's setting.",
  }),
  confirm: z
    .strictObject({
      text: Text.optional().meta({ description: "With `{{answer}}`. Default: `That's {{answer}}, is that right?`" }),
    })
    .optional()
    .meta({ description: "Reads the answer back and accepts it after a yes. Not for `yes_no`." }),
  range: z
    .strictObject({ min: z.number().optional(), max: z.number().optional() })
    .optional()
    .meta({ description: "For `number`: the accepted range." }),
  digits: z
    .strictObject({ min: z.int().min(1).max(40), max: z.int().min(1).max(40) })
    .optional()
    .meta({ description: "For `digits`: the accepted length." }),
  dates: z.enum(["ahead", "behind"]).optional().meta({
    description:
      'For `date`: whether a date without a year is in the future or the past. Default: `behind` where the question asks about the past ("When did it start?"), otherwise `ahead`.',
  }),
  interruptible,
  patience,
});
export type AskNode = z.infer<typeof AskNode>;
