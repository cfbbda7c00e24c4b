import { z } from "zod";
import { PageQuery, PhoneNumber, Timestamp } from "./shared-fields.ts";

export const NewSuppression = z
  .strictObject({ phoneNumber: PhoneNumber, reason: z.string().max(500).default("") })
  .meta({ id: "NewSuppression" });
export const Suppression = z
  .strictObject({ phoneNumber: PhoneNumber, reason: z.string(), createdAt: Timestamp })
  .meta({ id: "Suppression", description: "A number that the account never calls." });
export type Suppression = z.infer<typeof Suppression>;
export const SuppressionQuery = z.strictObject({
  ...PageQuery,
  phoneNumber: PhoneNumber.optional(),
  startsWith: z
    .string()
    .regex(/^\+[0-9]{0,15}$/, "must be a plus sign followed by up to 15 digits")
    .optional()
    .meta({ description: "Only numbers with this prefix.", example: "+4930" }),
});
export const SuppressionChoice = z.strictObject({ phoneNumber: PhoneNumber });

/** The maximum per request: they fit into an ordinary body. */
export const IMPORTED_NUMBERS_MAX = 3000;
export const SuppressionImport = z
  .strictObject({
    phoneNumbers: z.array(PhoneNumber).min(1).max(IMPORTED_NUMBERS_MAX),
    reason: z.string().max(500).default(""),
  })
  .meta({ id: "SuppressionImport" });
export const ImportedSuppressions = z
  .strictObject({
    addedCount: z.int(),
    knownCount: z.int().meta({ description: "How many were already on the list. They are unchanged." }),
  })
  .meta({ id: "ImportedSuppressions" });
export type ImportedSuppressions = z.infer<typeof ImportedSuppressions>;
