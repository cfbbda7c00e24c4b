import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Usd, UsdInput } from "./money.ts";
import { Scope } from "./scopes.ts";
import { Mode, Name, Timestamp, TimestampInput } from "./shared-fields.ts";

export const NewApiKey = z
  .strictObject({
    name: Name,
    mode: Mode,
    scopes: z.array(Scope).min(1).max(50).optional().meta({
      description: "Default: all that you may grant. Only an owner can grant those of the settings and the audit log.",
    }),
    expiresAt: TimestampInput.nullable().optional(),
    allowedIps: z
      .array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], { error: "must be an IP address or a CIDR range" }))
      .max(50)
      .optional()
      .meta({ description: "Addresses or CIDR ranges from which the key may be used. Default: any." }),
    dailySpendCap: UsdInput.nullable()
      .optional()
      .meta({ description: "Maximum cost of this key's calls per day (UTC)." }),
  })
  .meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKey = z
  .strictObject({
    id: idSchema("apiKey"),
    name: z.string(),
    mode: Mode,
    prefix: z.string().meta({ example: "svc_test_4Tq1" }),
    lastFour: z.string(),
    scopes: z.array(Scope),
    expiresAt: Timestamp.nullable(),
    allowedIps: z.array(z.string()),
    dailySpendCap: Usd.nullable(),
    createdBy: z.string().nullable().meta({ description: "E-mail address of the member who created it." }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = z
  .strictObject({ ...ApiKey.shape, key: z.string().meta({ description: "The key itself. It is shown only once." }) })
  .meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;
