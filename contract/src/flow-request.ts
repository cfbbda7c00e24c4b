import { z } from "zod";
import { FlowName, Text, ValueKind } from "./flow-fields.ts";

const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "must be the name of an HTTP header");

const BODY_DEPTH_MAX = 20;

/** An HTTP request in a flow. `{{name}}` is replaced by a value, which is encoded in the URL. */
export const FlowRequest = z
  .strictObject({
    method: z
      .enum(["GET", "POST", "PUT", "PATCH", "DELETE"])
      .meta({ description: "`GET` reads and has no body; most services expect `POST` for anything else." }),
    url: z.string().max(2000).meta({ description: "May contain placeholders in path and query, not in the host." }),
    headers: z
      .record(HeaderName, z.string().max(2000))
      .refine((headers) => Object.keys(headers).length <= 20, "must have at most 20 headers")
      .optional()
      .meta({ description: "Headers, with `{{name}}` placeholders." }),
    body: z.unknown().refine(isShallow, `must not be nested more than ${BODY_DEPTH_MAX} deep`).optional().meta({
      description: "Any JSON. A text that consists only of `{{name}}` becomes the value itself, such as a number.",
    }),
    timeoutMs: z.int().min(100).max(15_000).optional().meta({ description: "Default: 5000." }),
  })
  .meta({ id: "FlowRequest" });
export type FlowRequest = z.infer<typeof FlowRequest>;

const filler = Text.optional().meta({
  description: "Spoken if the request takes longer than `fillerAfterMs` in the settings.",
});

/** Fields of both kinds of tool. */
export const requesting = { request: FlowRequest, filler };

export const SavedValue = z.strictObject({
  path: z.string().max(200).meta({ description: "Its location in the reply, such as `slots[0].start`." }),
  saveAs: FlowName.meta({ description: "The name under which it is saved." }),
  kind: ValueKind.optional().meta({ description: "Default: `text`. A value of another type is not saved." }),
});

/** A request that a language model may send in a conversation. */
export const FlowTool = z
  .strictObject({
    name: FlowName.meta({ description: "The name used by the model and in the transcript." }),
    description: z.string().max(1000).meta({ description: "Tells the model what the tool does and when to use it." }),
    parameters: z
      .array(
        z.strictObject({
          name: FlowName.meta({ description: "Use `{{name}}` in the request." }),
          kind: ValueKind.meta({ description: "The type of the value." }),
          description: z.string().max(500).optional().meta({ description: "Tells the model which value to provide." }),
          required: z.boolean().optional().meta({ description: "Default: no, the model may omit it." }),
        }),
      )
      .max(20)
      .optional()
      .meta({ description: "Values that the model provides. Use `{{name}}` in the request." }),
    ...requesting,
  })
  .meta({ id: "FlowTool" });
export type FlowTool = z.infer<typeof FlowTool>;

/** Iterative, because recursion into deeply nested input would exhaust the stack. */
function isShallow(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; depth <= BODY_DEPTH_MAX; depth += 1) {
    level = level.flatMap((value) => (value !== null && typeof value === "object" ? Object.values(value) : []));
    if (level.length === 0) return true;
  }
  return false;
}
