import { z } from "zod";
import { PageQuery, PhoneNumber, Timestamp } from "./shared-fields.ts";

export const NewSuppression = z
  .strictObject({ phoneNumber: PhoneNumber, reason: z.string().max(500).default("") })
  .meta({ id: "NewSuppression" });
export const Suppression = z
  .strictObject({ phoneNumber: PhoneNumber, reason: z.string(), createdAt: Timestamp })
  .meta({ id: "Suppression", description: "A number that the account never calls." });
export type Suppression = z.infer<typeof Suppression>;
export const SuppressionQuery = z.strictObject({ ...PageQuery, phoneNumber: PhoneNumber.optional() });
export const SuppressionChoice = z.strictObject({ phoneNumber: PhoneNumber });
