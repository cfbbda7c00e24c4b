import { z } from "zod";

const ANALYSIS_STATUSES = ["pending", "ready", "failed", "off"] as const;
const ANALYZED_BY = ["rules", "model"] as const;

export const CallAnalysis = z
  .strictObject({
    status: z.enum(ANALYSIS_STATUSES).meta({
      description:
        "`pending` while the call is in progress. `failed`: the flow of the call could not be read. `off`: the data of the call was erased.",
    }),
    summary: z.string().nullable().meta({ description: "Written by a model; `null` if `by` is `rules`." }),
    outcome: z.string().nullable().meta({
      description:
        "The `outcome` of the node at which the flow ended; otherwise `collected.outcome`, then the id of that node, then `endReason`.",
      example: "confirmed",
    }),
    success: z.boolean().nullable().meta({
      description:
        "The `success` of the node at which the flow ended. `false` if other nodes declare it and the call reached none of them; `null` if no node does.",
    }),
    fields: z.record(z.string(), z.unknown()).meta({ description: "The collected values, as in `collected`." }),
    labels: z.array(z.string()).meta({ description: "Set by a model; empty if `by` is `rules`." }),
    by: z
      .enum(ANALYZED_BY)
      .nullable()
      .meta({ description: "How the call was analyzed. This release uses rules only." }),
    model: z.string().nullable().meta({ description: "The model if `by` is `model`." }),
  })
  .meta({ id: "CallAnalysis", description: "The outcome of an answered call." });
export type CallAnalysis = z.infer<typeof CallAnalysis>;

/** An analysis that only has a status. */
export function emptyAnalysis(status: CallAnalysis["status"]): CallAnalysis {
  return { status, summary: null, outcome: null, success: null, fields: {}, labels: [], by: null, model: null };
}
