import { isIP } from "node:net";
import type { VendorTrunkKind } from "@parley/contract/trunks";
import { z } from "zod";
import { BUCKET_SETTINGS, type BucketSettings } from "./bucket-settings.ts";
import { CONVERSATION_SETTINGS, type ConversationSettings } from "./conversation-settings.ts";
import { DATABASE_SETTINGS, type ReplicaSettings } from "./database-settings.ts";
import { ENGINE_SETTINGS, type EngineSettings } from "./engine-settings.ts";
import { INTERNAL_SETTINGS, type InternalSettings } from "./internal-settings.ts";
import { MODEL_SETTINGS, type ModelSettings, type RawModelSettings } from "./model-settings.ts";
import type { ConfiguredTrunks } from "./read-trunks-file.ts";
import { SIP_SETTINGS, type SipSettings } from "./sip-settings.ts";
import { TELEMETRY_SETTINGS, type TelemetrySettings } from "./telemetry-settings.ts";

const PROCESS_ROLES = ["api", "calls", "jobs"] as const;
type ProcessRole = (typeof PROCESS_ROLES)[number];

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));
/** A comma-separated list. */
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean),
);
/** An address or CIDR range. A zone (`fe80::1%eth0`) is rejected because it is local to a machine. */
const isRange = (text: string) => {
  if (text.includes("%")) return false;
  const [address = "", bits, ...rest] = text.split("/");
  const width = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
  return rest.length === 0 && (bits === undefined ? width > 0 : /^\d{1,3}$/.test(bits) && Number(bits) <= width);
};
/** Exactly what a browser sends as `Origin`: no path, no wildcard, not `null`. */
const isOrigin = (text: string) => /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
const secret = z.string().min(32, "must have at least 32 characters");

const roles = z
  .string()
  .default(PROCESS_ROLES.join(","))
  .transform((text) => text.split(",").map((role) => role.trim()))
  .pipe(z.array(z.enum(PROCESS_ROLES)).min(1));

/** All settings, by their names in the environment and in the settings file. */
export const SettingsSchema = z.object({
  PARLEY_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("The address to listen on. `0.0.0.0` listens on all addresses."),
  PARLEY_PORT: port(3000).describe("The port to listen on; `0` picks a free one."),
  PARLEY_DATA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The data folder. Default: `.parley` in the working directory; for root, if the user of the database cannot access that, a folder under `/var/lib/parley`.",
    ),
  PARLEY_ROLES: roles.describe(
    "Comma-separated roles of this process: serve requests (`api`), conduct calls (`calls`), run background jobs (`jobs`).",
  ),
  PARLEY_PUBLIC_URL: url
    .optional()
    .describe(
      "The public URL of the service, such as `https://parley.example`. With https, cookies are secure and browsers are told to require https. Default: the listening address.",
    ),
  PARLEY_TRUST_PROXY: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((entries) => entries.every(isRange), "must be comma-separated addresses or CIDR ranges of your proxies")
    .describe("Comma-separated addresses or CIDR ranges of your proxies; only their forwarding headers are trusted."),
  PARLEY_CORS_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), "must be comma-separated origins such as https://app.example")
    .default([])
    .describe(
      "Comma-separated origins whose pages may use the API from a browser with a key, such as `https://app.example`. Never with cookies. Default: none.",
    ),
  PARLEY_SIGN_UP: z
    .enum(["open", "closed"])
    .optional()
    .describe(
      "Whether anyone may create an account. Default: `open` while the service listens on loopback only, has neither a public URL nor a proxy, and has not received a request through one; otherwise `closed`.",
    ),
  PARLEY_DASHBOARD: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether the dashboard is served at `/`. It is built at the start, in seconds, if it was not built from these sources before. `off`: only the API and its reference.",
    ),
  PARLEY_SECRET: secret
    .optional()
    .describe(
      "The installation's secret, from which digests, signatures and encryption keys are derived; at least 32 characters, the same in every process. Default: generated once and stored in the data folder.",
    ),
  PARLEY_OPERATOR_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters")
    .optional()
    .describe("The bearer token for `/metrics`, at least 16 characters. Default: none, `/metrics` is closed."),
  PARLEY_LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("`debug`, `info`, `warn`, `error` or `silent`."),
  PARLEY_RATE_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe("Requests per second, account and mode, across all processes."),
  PARLEY_CORES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe("The number of cores that the service may count on. Default: all that it can use."),
  PARLEY_WORKER_PROCESSES: z.coerce
    .number()
    .int()
    .min(0)
    .max(32)
    .optional()
    .describe(
      "The number of processes that conduct calls, for a process with the roles `api` and `calls`. `0`: it conducts them itself. Default: `0` below six cores, otherwise one for every three cores.",
    ),
  PARLEY_CALL_SLOTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe("The maximum number of concurrent calls of this process."),
  PARLEY_ADMISSION: z
    .enum(["measured", "slots"])
    .default("measured")
    .describe(
      "`measured`: calls are started only while measurements show that one more can be held well; the others wait. `slots`: up to `PARLEY_CALL_SLOTS`, however busy the machine is.",
    ),
  PARLEY_CALL_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(30)
    .max(3650)
    .optional()
    .describe(
      "For how many days after their end calls are kept, with their events and transcripts, for accounts without a period of their own. Then they are stored in the bucket, if there is one, and removed. Default: for ever.",
    ),
  PARLEY_AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(90)
    .max(3650)
    .optional()
    .describe(
      "For how many days entries of the audit log are kept. Then they are stored in the bucket, if there is one, and removed. Default: for ever.",
    ),
  PARLEY_SIMULATED_NETWORK: z
    .string()
    .regex(/^[^:]+:\d{1,5}$/, "must be host:port of a simulated network process")
    .optional()
    .describe("`host:port` of a simulated phone network in a separate process. Default: one inside this process."),
  PARLEY_CHARGE_SIMULATED_CALLS: z
    .enum(["on", "off"])
    .default("off")
    .describe(
      "Whether live calls on the simulated network are charged, to try billing; the same in every process. `off`: their cost is shown but not charged.",
    ),
  PARLEY_TRUNKS: z
    .string()
    .min(1)
    .optional()
    .describe(
      "A JSON file with trunks and routes, applied at each start; the same in every process. Default: trunks are managed with the API and the command line only.",
    ),
  PARLEY_TWILIO_URL: url
    .optional()
    .describe(
      "Where Twilio's REST API is reached, if not at its own host: the URL of a proxy of yours, which sees the auth token. Default: `https://api.twilio.com`.",
    ),
  PARLEY_TELNYX_URL: url
    .optional()
    .describe(
      "Where Telnyx's API is reached, if not at its own host: the URL of a proxy of yours, which sees the API key. Default: `https://api.telnyx.com/v2`.",
    ),
  ...TELEMETRY_SETTINGS,
  ...INTERNAL_SETTINGS,
  ...SIP_SETTINGS,
  ...CONVERSATION_SETTINGS,
  ...MODEL_SETTINGS,
  ...ENGINE_SETTINGS,
  ...BUCKET_SETTINGS,
  PARLEY_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      "The SMTP server for invitations and password links, such as `smtp://mail.example:587`. Default: no e-mail is sent, and members pass on links themselves.",
    ),
  PARLEY_MAIL_FROM: z.string().min(3).default("Parley <parley@localhost>").describe("The sender of these e-mails."),
  PARLEY_OUTBOUND_ALLOW: list
    .transform((words) => words.filter((word) => word !== "none"))
    .refine(
      (words) => words.every((word) => word === "loopback" || isRange(word)),
      "must be `none`, or comma-separated addresses, CIDR ranges or `loopback`",
    )
    .optional()
    .describe(
      "What customers' URLs (tools, webhooks) may reach besides the public internet, also over plain http: comma-separated addresses or CIDR ranges, `loopback` for this machine, or `none`. Default: `loopback` on an installation that serves a single machine (embedded database, listening on loopback, neither a public URL nor a proxy), otherwise none.",
    ),
  PARLEY_OUTBOUND_DENY: list
    .refine((words) => words.every(isRange), "must be comma-separated addresses or CIDR ranges")
    .default([])
    .describe(
      "Comma-separated addresses or CIDR ranges that such URLs must never reach, such as your own servers with public addresses.",
    ),
  PARLEY_OUTBOUND_PORTS: list
    .refine(
      (words) => words.every((word) => /^\d{1,5}$/.test(word) && Number(word) >= 1 && Number(word) <= 65_535),
      "must be comma-separated port numbers",
    )
    .transform((words) => words.map(Number))
    .default([443, 8443])
    .describe("The comma-separated ports that such URLs may use on the public internet."),
  ...DATABASE_SETTINGS,
});
type RawSettings = z.infer<typeof SettingsSchema>;
export type SettingName = keyof RawSettings;
export const SETTING_NAMES = Object.keys(SettingsSchema.shape) as SettingName[];

/** The settings of a process, including derived ones. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly roles: readonly ProcessRole[];
  /** The public URL of the service, without a trailing slash. */
  readonly publicUrl: string | null;
  /** Whether the service listens on loopback only and has no other public address. */
  readonly isOnLoopback: boolean;
  readonly trustProxy: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly signUp: "open" | "closed";
  /** Whether it was set explicitly, or follows from the listening address. */
  readonly isSignUpChosen: boolean;
  /** Embedded database, loopback only, no proxy. */
  readonly isForThisMachineAlone: boolean;
  readonly dashboard: "on" | "off";
  readonly secret: string | null;
  readonly operatorToken: string | null;
  readonly logLevel: RawSettings["PARLEY_LOG_LEVEL"];
  readonly requestsPerSecond: number;
  /** The cores that this process may count on, its share if there are processes that conduct calls. */
  readonly cores: number;
  /** How many processes conduct calls for this one; 0 if it does so itself. */
  readonly workerProcesses: number;
  /** What those are started with. */
  readonly workerEnvironment: Readonly<Record<string, string | undefined>>;
  readonly callSlotsMax: number;
  readonly admission: "measured" | "slots";
  readonly databaseConnectionsMax: number;
  /** For how long calls are kept; null for ever. */
  readonly callRetentionDays: number | null;
  readonly auditRetentionDays: number | null;
  readonly simulatedNetwork: { readonly host: string; readonly port: number } | null;
  readonly chargesSimulatedCalls: boolean;
  /** The contents of the trunks file; null without one. */
  readonly trunks: ConfiguredTrunks | null;
  /** Where the APIs of phone vendors are; null for the vendor's own host. */
  readonly vendorUrls: Readonly<Record<VendorTrunkKind, string | null>>;
  readonly telemetry: TelemetrySettings;
  readonly internal: InternalSettings;
  readonly sip: SipSettings;
  readonly conversations: ConversationSettings;
  /** The models of the settings; operators may configure further ones. */
  readonly models: ModelSettings;
  readonly modelEnvironment: RawModelSettings;
  /** Engines of the operator's own. */
  readonly engines: EngineSettings;
  /** The bucket for recordings; null for the data folder. */
  readonly bucket: BucketSettings | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** What customers' URLs may reach besides the public internet; null if not set. */
  readonly outboundAllow: readonly string[] | null;
  readonly outboundDeny: readonly string[];
  readonly outboundPorts: readonly number[];
  readonly databaseUrl: string | null;
  /** PostgreSQL itself, if `databaseUrl` leads to a pooler. */
  readonly databaseDirectUrl: string | null;
  /** Where lists and statistics are read; null for the database itself. */
  readonly replica: ReplicaSettings | null;
}
