import { isIP } from "node:net";
import { z } from "zod";

export const PROCESS_ROLES = ["api", "calls", "jobs"] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));
const secret = z.string().min(32, "must have at least 32 characters");

const roles = z
  .string()
  .default(PROCESS_ROLES.join(","))
  .transform((text) => text.split(",").map((role) => role.trim()))
  .pipe(z.array(z.enum(PROCESS_ROLES)).min(1));

/** Every setting, by the name it has in the environment and in the settings file. */
export const SettingsSchema = z.object({
  PARLEY_HOST: z.string().min(1).default("127.0.0.1"),
  PARLEY_PORT: port(3000),
  PARLEY_DATA_DIR: z.string().min(1).optional(),
  PARLEY_ROLES: roles,
  PARLEY_PUBLIC_URL: url.optional(),
  PARLEY_TRUST_PROXY: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine(
      (list) => list.every((entry) => isIP(entry.split("/")[0] ?? "") !== 0),
      "must be addresses or CIDR ranges of your proxies, with commas",
    ),
  PARLEY_SIGN_UP: z.enum(["open", "closed"]).optional(),
  PARLEY_SECRET: secret.optional(),
  PARLEY_OPERATOR_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  PARLEY_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  PARLEY_RATE_LIMIT: z.coerce.number().int().min(1).max(100_000).default(100),
  PARLEY_CALL_SLOTS: z.coerce.number().int().min(1).max(10_000).default(100),
  PARLEY_DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(500).default(16),
  PARLEY_SIMULATED_NETWORK: z
    .string()
    .regex(/^[^:]+:\d{1,5}$/, "must be host:port of a simulated network process")
    .optional(),
  PARLEY_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  PARLEY_MAIL_FROM: z.string().min(3).default("Parley <parley@localhost>"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
});
export type RawSettings = z.infer<typeof SettingsSchema>;
export type SettingName = keyof RawSettings;
export const SETTING_NAMES = Object.keys(SettingsSchema.shape) as SettingName[];

/** The settings of a running process, with everything that can be derived filled in. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly roles: readonly ProcessRole[];
  /** Where people and links reach the service, without a trailing slash. */
  readonly publicUrl: string | null;
  readonly trustProxy: readonly string[];
  readonly signUp: "open" | "closed";
  readonly secret: string | null;
  readonly operatorToken: string | null;
  readonly logLevel: RawSettings["PARLEY_LOG_LEVEL"];
  readonly requestsPerSecond: number;
  readonly callSlotsMax: number;
  readonly databaseConnectionsMax: number;
  readonly simulatedNetwork: { readonly host: string; readonly port: number } | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  readonly databaseUrl: string | null;
}
