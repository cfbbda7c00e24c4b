import { z } from "zod";
import { Scope } from "./scopes.ts";
import { Mode, Timestamp } from "./shared-fields.ts";

/** What a person types: letters that are neither vowels nor look alike. */
export const UserCode = z
  .string()
  .regex(
    /^[BCDFGHJKLMNPQRSTVWXZ]{4}[ -]?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i,
    "must be the eight letters that the command line shows",
  )
  .meta({ description: "The code that the command line shows.", example: "BCDF-GHJK" });

export const StartDeviceSignIn = z
  .strictObject({
    client: z.string().trim().min(1).max(120).meta({
      description: "What asks, as the member will see it.",
      example: "parley on ada-laptop",
    }),
  })
  .meta({ id: "StartDeviceSignIn" });
export type StartDeviceSignIn = z.infer<typeof StartDeviceSignIn>;

export const StartedDeviceSignIn = z
  .strictObject({
    deviceCode: z.string().meta({ description: "Keep it secret: it fetches the key." }),
    userCode: z.string().meta({ example: "BCDF-GHJK" }),
    verificationUrl: z.string().meta({ description: "The page on which a member confirms the code." }),
    expiresInSeconds: z.int(),
    intervalSeconds: z.int().meta({ description: "How long to wait between two questions for the key." }),
  })
  .meta({ id: "StartedDeviceSignIn" });

export const FetchDeviceKey = z.strictObject({ deviceCode: z.string().min(1).max(200) }).meta({ id: "FetchDeviceKey" });

export const DeviceKey = z
  .strictObject({
    status: z.enum(["pending", "approved", "denied", "expired"]),
    key: z.string().nullable().meta({ description: "The API key, once and only if `status` is `approved`." }),
  })
  .meta({ id: "DeviceKey" });
export type DeviceKey = z.infer<typeof DeviceKey>;

export const DeviceSignIn = z
  .strictObject({
    userCode: z.string(),
    client: z.string(),
    ip: z.string().meta({ description: "The address from which it asks." }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    isApproved: z.boolean(),
  })
  .meta({ id: "DeviceSignIn", description: "A command line that waits to be let in." });
export type DeviceSignIn = z.infer<typeof DeviceSignIn>;

export const ApproveDeviceSignIn = z
  .strictObject({
    mode: Mode,
    scopes: z.array(Scope).min(1).max(50).optional().meta({ description: "Default: all that you may grant." }),
  })
  .meta({ id: "ApproveDeviceSignIn" });
export type ApproveDeviceSignIn = z.infer<typeof ApproveDeviceSignIn>;
