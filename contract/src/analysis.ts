import { z } from "zod";

const ANALYSIS_STATUSES = ["pending", "ready", "failed", "off"] as const;
const ANALYZED_BY = ["rules", "model"] as const;

export const CallAnalysis = z
  .strictObject({
    status: z.enum(ANALYSIS_STATUSES).meta({
      description:
        "`pending` while the call is in progress. `failed`: the flow it was held with could not be read. `off`: the data of the call was erased.",
    }),
    summary: z.string().nullable().meta({ description: "Only a model writes one; `null` where `by` is `rules`." }),
    outcome: z.string().nullable().meta({
      description:
        "The `outcome` of the node the flow ended at; else `collected.outcome` where the flow keeps one; else the id of that node; else `endReason`.",
      example: "confirmed",
    }),
    success: z.boolean().nullable().meta({
      description:
        "The `success` of the node the flow ended at. `false` where other nodes declare one and the call reached none of them; `null` where the flow declares none.",
    }),
    fields: z.record(z.string(), z.unknown()).meta({ description: "What was collected, as in `collected`." }),
    labels: z.array(z.string()).meta({ description: "Only a model gives some; empty where `by` is `rules`." }),
    by: z.enum(ANALYZED_BY).nullable().meta({ description: "This release judges by rules." }),
    model: z.string().nullable().meta({ description: "The model where `by` is `model`." }),
  })
  .meta({ id: "CallAnalysis", description: "What an answered call came to." });
export type CallAnalysis = z.infer<typeof CallAnalysis>;

/** An analysis that says nothing but where it stands. */
export function emptyAnalysis(status: CallAnalysis["status"]): CallAnalysis {
  return { status, summary: null, outcome: null, success: null, fields: {}, labels: [], by: null, model: null };
}
