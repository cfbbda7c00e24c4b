import { z } from "zod";

/** Ids of nodes, and names of values and tools. */
export const FlowName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be lower-case letters, digits and underscores, beginning with a letter");

// A draft may be incomplete: empty fields and missing connections are reported when it is published.
export const Text = z.string().max(2000);
export const GoesTo = FlowName.optional();

const Phrase = z.string().min(1).max(200);
export const Phrases = z.array(Phrase).max(50);

/** Fields of every node. */
export const placed = {
  id: FlowName,
  label: z.string().max(120).optional().meta({ description: "A title shown in the builder. Default: the id." }),
  position: z.strictObject({ x: z.number(), y: z.number() }).optional(),
};

/** Fields of every node except the start: lets the callee jump there from any question. */
export const global = {
  global: z
    .strictObject({
      phrases: Phrases.meta({ description: "Phrases that lead here, such as `I want to talk to a human`." }),
      returns: z.boolean().optional().meta({
        description: "Only for a `say` without `next`: the open question is asked again afterwards.",
      }),
    })
    .optional()
    .meta({ description: "Lets the callee jump here from any question with one of the phrases." }),
};

/** The result that a final node declares for the call. */
export const ending = {
  outcome: z.string().max(64).optional().meta({
    description: "The outcome of a call that ends here, such as `confirmed`. Shown in the call's analysis.",
  }),
  success: z.boolean().optional().meta({
    description: "Whether a call that ends here is successful. Shown in the call's analysis.",
  }),
};

export const PATIENCES = ["quick", "normal", "patient"] as const;

export const interruptible = z.boolean().optional().meta({
  description: "Whether the callee can interrupt it. Default: the agent's setting; an `end` is never interrupted.",
});
export const patience = z.enum(PATIENCES).optional().meta({
  description: "How long the agent waits for further words before it replies. Default: the agent's setting.",
});

export const Retries = z.strictObject({
  max: z
    .int()
    .min(0)
    .max(5)
    .meta({ description: "How often the question is asked again after an answer that was not understood." }),
  texts: z.array(Text).max(5).optional().meta({
    description: "The text of each retry; the last one is repeated. Default: an apology and the question.",
  }),
});

/** The type of a collected value. */
const VALUE_KINDS = ["text", "number", "boolean", "date", "time"] as const;
export const ValueKind = z.enum(VALUE_KINDS);
