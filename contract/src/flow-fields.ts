import { z } from "zod";

/** Ids of nodes, and names of values and tools. */
export const FlowName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be lower-case letters, digits and underscores, beginning with a letter");

// A draft may be unfinished: what is empty or leads nowhere yet is found when it is published.
export const Text = z.string().max(2000);
export const GoesTo = FlowName.optional();

const Phrase = z.string().min(1).max(200);
export const Phrases = z.array(Phrase).max(50);

/** What every node has. */
export const placed = {
  id: FlowName,
  label: z.string().max(120).optional().meta({ description: "A title for people. Default: the id." }),
  position: z.strictObject({ x: z.number(), y: z.number() }).optional(),
};

/** What every node but the start may have: the callee can bring the call there from any question. */
export const global = {
  global: z
    .strictObject({
      phrases: Phrases.meta({ description: "What a callee says to get here, such as `I want to talk to a human`." }),
      returns: z.boolean().optional().meta({
        description: "Only for a `say` without `next`: afterwards the question that was open is asked again.",
      }),
    })
    .optional()
    .meta({ description: "Lets the callee bring the call here from any question, by saying one of the phrases." }),
};

/** What a node at which a flow ends says about the call that came to it. */
export const ending = {
  outcome: z.string().max(64).optional().meta({
    description: "What a call that ends here came to, such as `confirmed`. Stands in the analysis of the call.",
  }),
  success: z.boolean().optional().meta({
    description: "Whether a call that ends here has succeeded. Stands in the analysis of the call.",
  }),
};

export const PATIENCES = ["quick", "normal", "patient"] as const;

export const interruptible = z.boolean().optional().meta({
  description: "Whether the callee's words stop it. Default: the agent's setting; an `end` is spoken to its end.",
});
export const patience = z.enum(PATIENCES).optional().meta({
  description: "How long the agent waits for more words before it takes its turn. Default: the agent's setting.",
});

export const Retries = z.strictObject({
  max: z.int().min(0).max(5).meta({ description: "How often an answer that was not understood is asked for again." }),
  texts: z.array(Text).max(5).optional().meta({
    description:
      "What is said then, the last one again if there are more retries. Default: an apology and the question.",
  }),
});

/** What a value is, once it is collected. */
const VALUE_KINDS = ["text", "number", "boolean", "date", "time"] as const;
export const ValueKind = z.enum(VALUE_KINDS);
