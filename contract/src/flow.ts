import { z } from "zod";

/** The version of the flow document this release writes and reads. */
export const FLOW_SCHEMA_VERSION = 1;

const NodeId = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be lower-case letters, digits and underscores, beginning with a letter");
// A draft may be unfinished: what is empty or leads nowhere yet is found when it is published.
const Text = z.string().max(2000);
const GoesTo = NodeId.optional();

const placed = {
  id: NodeId,
  label: z.string().max(120).optional(),
  position: z.strictObject({ x: z.number(), y: z.number() }).optional(),
};

export const ANSWER_KINDS = ["yes_no", "number", "date", "time", "choice", "free_text"] as const;

export const FlowNode = z
  .discriminatedUnion("type", [
    z.strictObject({ ...placed, type: z.literal("start"), next: GoesTo }),
    z.strictObject({ ...placed, type: z.literal("say"), text: Text, next: GoesTo }),
    z.strictObject({
      ...placed,
      type: z.literal("ask"),
      text: Text,
      answer: z.enum(ANSWER_KINDS),
      saveAs: NodeId.optional().meta({ description: "Name under which the answer is collected." }),
      exits: z
        .array(z.strictObject({ when: z.string().min(1).max(120), next: GoesTo }))
        .max(20)
        .default([])
        .meta({ description: "Where to go for which answer: `yes`, `no`, or one of the choices." }),
      otherwise: GoesTo.meta({ description: "Where to go for any other answer." }),
    }),
    z.strictObject({
      ...placed,
      type: z.literal("branch"),
      exits: z
        .array(z.strictObject({ when: z.string().max(1000), next: GoesTo }))
        .max(20)
        .default([])
        .meta({ description: "Conditions such as `collected.guests > 6`, in order; the first that holds is taken." }),
      otherwise: GoesTo.meta({ description: "Where to go when none holds." }),
    }),
    z.strictObject({ ...placed, type: z.literal("end"), text: Text.optional() }),
  ])
  .meta({ id: "FlowNode" });
export type FlowNode = z.infer<typeof FlowNode>;

export const Flow = z
  .strictObject({
    schemaVersion: z.literal(FLOW_SCHEMA_VERSION),
    variables: z.array(NodeId).max(100).default([]).meta({ description: "Names a call fills into `{{name}}`." }),
    nodes: z.array(FlowNode).max(500),
  })
  .meta({
    id: "Flow",
    description: "What an agent says and asks, as a graph. A draft may be unfinished; publishing compiles it.",
  });
export type Flow = z.infer<typeof Flow>;

export const EMPTY_FLOW: Flow = { schemaVersion: FLOW_SCHEMA_VERSION, variables: [], nodes: [] };
