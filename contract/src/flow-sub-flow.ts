import { z } from "zod";
import { FlowName, GoesTo, global, placed } from "./flow-fields.ts";
import { idSchema } from "./ids.ts";

/** Another agent's flow as a part of this one. Publishing writes it into the version, which never changes after that. */
export const SubFlowNode = z.strictObject({
  ...placed,
  ...global,
  type: z.literal("subflow"),
  agentId: idSchema("agent").optional().meta({ description: "The agent of the account whose flow is used." }),
  version: z.int().min(1).max(1_000_000).optional().meta({ description: "The published version that is used." }),
  inputs: z
    .array(
      z.strictObject({
        name: FlowName.meta({ description: "A variable of the sub-flow." }),
        value: z.string().max(1000).meta({ description: "An expression; texts are quoted." }),
      }),
    )
    .max(20)
    .optional()
    .meta({ description: "Values for its variables. Others get the value of this flow's variable of the same name." }),
  exits: z
    .array(
      z.strictObject({
        when: z.string().min(1).max(64).meta({
          description: "The outcome of an `end` of the sub-flow, or the id of an `end` without an outcome.",
        }),
        next: GoesTo,
      }),
    )
    .max(50)
    .default([])
    .meta({ description: "Where the call continues when it reaches an `end` of the sub-flow." }),
  saves: z
    .array(
      z.strictObject({
        name: FlowName.meta({ description: "A name under which the sub-flow saves something." }),
        saveAs: FlowName.meta({ description: "The name in this flow." }),
      }),
    )
    .max(20)
    .optional()
    .meta({ description: "Names for what it collects. Others are saved as the id of this node, `__` and their name." }),
});
export type SubFlowNode = z.infer<typeof SubFlowNode>;
