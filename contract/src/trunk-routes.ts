import { z } from "zod";
import { idSchema } from "./ids.ts";
import { PageQuery, Timestamp } from "./shared-fields.ts";

const fields = {
  prefix: z
    .string()
    .regex(/^[0-9]{0,15}$/, "must be at most 15 digits, without the plus sign")
    .meta({
      description: "The prefix of numbers, without the plus sign; empty for all. The longest prefix applies.",
      example: "49",
    }),
  trunkId: idSchema("trunk"),
  priority: z.int().min(0).max(1_000_000).meta({ description: "Lower is tried first; the next is used if it fails." }),
  weight: z.int().min(0).max(1_000_000).meta({
    description: "Its share among routes of the same prefix and priority; 0 is used only if no other is left.",
  }),
};

export const NewTrunkRoute = z
  .strictObject({ ...fields, priority: fields.priority.default(0), weight: fields.weight.default(1) })
  .meta({ id: "NewTrunkRoute" });
export type NewTrunkRoute = z.infer<typeof NewTrunkRoute>;

export const TrunkRouteChanges = z
  .strictObject(fields)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, "must change at least one field")
  .meta({ id: "TrunkRouteChanges" });
export type TrunkRouteChanges = z.infer<typeof TrunkRouteChanges>;

export const TrunkRoute = z
  .strictObject({
    id: idSchema("route"),
    ...fields,
    trunkName: z.string(),
    managedBy: z.enum(["operator", "configuration"]),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "TrunkRoute", description: "Maps a number prefix to a trunk." });
export type TrunkRoute = z.infer<typeof TrunkRoute>;

export const TrunkRouteQuery = z.strictObject(PageQuery);
