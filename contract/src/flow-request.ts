import { z } from "zod";
import { FlowName, Text, ValueKind } from "./flow-fields.ts";

const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of an HTTP header");

const BODY_DEPTH_MAX = 20;

/** An HTTP request as a flow writes it. `{{name}}` stands for a value; in the URL it is encoded. */
export const FlowRequest = z
  .strictObject({
    method: z
      .enum(["GET", "POST", "PUT", "PATCH", "DELETE"])
      .meta({ description: "`GET` reads and has no body; `POST` is what most services take for anything else." }),
    url: z.string().max(2000).meta({ description: "Placeholders may stand in its path and query, not in its host." }),
    headers: z
      .record(HeaderName, z.string().max(2000))
      .refine((headers) => Object.keys(headers).length <= 20, "must have at most 20 headers")
      .optional()
      .meta({ description: "Sent along. `{{name}}` stands for a value." }),
    body: z.unknown().refine(isShallow, `must not be nested more than ${BODY_DEPTH_MAX} deep`).optional().meta({
      description:
        "Any JSON, and sent as JSON. A text that is nothing but `{{name}}` becomes the value itself, such as a number.",
    }),
    timeoutMs: z.int().min(100).max(15_000).optional().meta({ description: "Default: 5000." }),
  })
  .meta({ id: "FlowRequest" });
export type FlowRequest = z.infer<typeof FlowRequest>;

const filler = Text.optional().meta({
  description: "Said when the request takes longer than `fillerAfterMs` of the settings.",
});

/** What both kinds of tool have. */
export const requesting = { request: FlowRequest, filler };

export const SavedValue = z.strictObject({
  path: z.string().max(200).meta({ description: "Where it stands in the reply, such as `slots[0].start`." }),
  saveAs: FlowName.meta({ description: "Name under which it is collected." }),
  kind: ValueKind.optional().meta({ description: "Default: `text`. What does not fit is not saved." }),
});

/** A request that a language model may make in a conversation. */
export const FlowTool = z
  .strictObject({
    name: FlowName.meta({ description: "The model and the transcript know it by this name." }),
    description: z.string().max(1000).meta({ description: "Tells the model what it does and when to use it." }),
    parameters: z
      .array(
        z.strictObject({
          name: FlowName.meta({ description: "`{{name}}` in the request stands for it." }),
          kind: ValueKind.meta({ description: "What the model may give." }),
          description: z.string().max(500).optional().meta({ description: "Tells the model what to give." }),
          required: z.boolean().optional().meta({ description: "Default: no, the model may leave it out." }),
        }),
      )
      .max(20)
      .optional()
      .meta({ description: "What the model gives it. `{{name}}` in the request stands for a parameter too." }),
    ...requesting,
  })
  .meta({ id: "FlowTool" });
export type FlowTool = z.infer<typeof FlowTool>;

/** Level by level, because what is nested deep enough would exhaust the stack of whatever walks down into it. */
function isShallow(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; depth <= BODY_DEPTH_MAX; depth += 1) {
    level = level.flatMap((value) => (value !== null && typeof value === "object" ? Object.values(value) : []));
    if (level.length === 0) return true;
  }
  return false;
}
