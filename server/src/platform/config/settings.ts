import { isIP } from "node:net";
import { z } from "zod";
import { BUCKET_SETTINGS, type BucketSettings } from "./bucket-settings.ts";
import { CONVERSATION_SETTINGS, type ConversationSettings } from "./conversation-settings.ts";
import { INTERNAL_SETTINGS, type InternalSettings } from "./internal-settings.ts";
import { MODEL_SETTINGS, type ModelSettings, type RawModelSettings } from "./model-settings.ts";
import type { ConfiguredTrunks } from "./read-trunks-file.ts";
import { SIP_SETTINGS, type SipSettings } from "./sip-settings.ts";

const PROCESS_ROLES = ["api", "calls", "jobs"] as const;
type ProcessRole = (typeof PROCESS_ROLES)[number];

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));
/** Words with commas between them. */
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean),
);
/** An address, or addresses that begin alike. A zone (`fe80::1%eth0`) means something on one machine only. */
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

/** Every setting, by the name it has in the environment and in the settings file. */
export const SettingsSchema = z.object({
  PARLEY_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("The address to listen on. `0.0.0.0` listens on all of them."),
  PARLEY_PORT: port(3000).describe("The port to listen on; `0` picks a free one."),
  PARLEY_DATA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The one folder everything is kept in. Left out: `.parley` in the folder it is started from; for root, where the database's own account could not reach that, a folder under `/var/lib/parley`.",
    ),
  PARLEY_ROLES: roles.describe(
    "What this process does, with commas: answer requests (`api`), conduct calls (`calls`), do background work (`jobs`).",
  ),
  PARLEY_PUBLIC_URL: url
    .optional()
    .describe(
      "Where people reach the service, such as `https://parley.example`. With https, cookies and browsers are told to insist on it. Left out: the listening address.",
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
    .refine((entries) => entries.every(isRange), "must be addresses or CIDR ranges of your proxies, with commas")
    .describe("Addresses or CIDR ranges of your own proxies, with commas; only they are believed about who is asking."),
  PARLEY_CORS_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), "must be origins such as https://app.example, with commas")
    .default([])
    .describe(
      "Origins whose pages may use the API from a browser with a key, such as `https://app.example`, with commas. Never with cookies. Left out: none.",
    ),
  PARLEY_SIGN_UP: z
    .enum(["open", "closed"])
    .optional()
    .describe(
      "Whether anyone may make an account. Left out: `open` while the service listens on loopback alone, has neither a public address nor a proxy, and no request came through one; else `closed`.",
    ),
  PARLEY_DASHBOARD: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether the dashboard is served at `/`. A start whose sources are newer than what was built builds it, in seconds. `off`: the API and its reference alone.",
    ),
  PARLEY_SECRET: secret
    .optional()
    .describe(
      "What digests, signatures and the keys of stored passwords are derived from, at least 32 characters; the same in every process. Left out: made once and kept in the data folder.",
    ),
  PARLEY_OPERATOR_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters")
    .optional()
    .describe("Opens `/metrics`, at least 16 characters. Left out: `/metrics` stays shut."),
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
    .describe("Requests a second per account and mode, over all processes."),
  PARLEY_CALL_SLOTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe("Calls this process conducts at once."),
  PARLEY_DATABASE_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(2)
    .max(500)
    .default(16)
    .describe("Connections this process opens to the database at most."),
  PARLEY_SIMULATED_NETWORK: z
    .string()
    .regex(/^[^:]+:\d{1,5}$/, "must be host:port of a simulated network process")
    .optional()
    .describe(
      "`host:port` of a simulated phone network that runs as its own process. Left out: one inside this process.",
    ),
  PARLEY_CHARGE_SIMULATED_CALLS: z
    .enum(["on", "off"])
    .default("off")
    .describe(
      "Whether live calls on the simulated network are charged like real ones, to try billing out; the same in every process. `off`: their cost is shown and not charged.",
    ),
  PARLEY_TRUNKS: z
    .string()
    .min(1)
    .optional()
    .describe(
      "A JSON file with trunks and routes, applied at each start and changed nowhere else; the same in every process. Left out: they are managed by the API and the command line alone.",
    ),
  ...INTERNAL_SETTINGS,
  ...SIP_SETTINGS,
  ...CONVERSATION_SETTINGS,
  ...MODEL_SETTINGS,
  ...BUCKET_SETTINGS,
  PARLEY_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      "The mail server for invitations and password links, such as `smtp://mail.example:587`. Left out: no mail is sent and links are handed over by people.",
    ),
  PARLEY_MAIL_FROM: z.string().min(3).default("Parley <parley@localhost>").describe("The sender of that mail."),
  PARLEY_OUTBOUND_ALLOW: list
    .transform((words) => words.filter((word) => word !== "none"))
    .refine(
      (words) => words.every((word) => word === "loopback" || isRange(word)),
      "must be `none`, `loopback`, addresses or CIDR ranges, with commas",
    )
    .optional()
    .describe(
      "What URLs written by customers (tools, models, webhooks) may reach beside the public internet, also by plain http: addresses or CIDR ranges with commas, `loopback` for this machine, or `none`. Left out: `loopback` on an installation for this machine alone (embedded database, listening on loopback, neither a public address nor a proxy), else none.",
    ),
  PARLEY_OUTBOUND_DENY: list
    .refine((words) => words.every(isRange), "must be addresses or CIDR ranges, with commas")
    .default([])
    .describe(
      "Addresses or CIDR ranges, with commas, that such URLs never reach: your own servers that have public addresses.",
    ),
  PARLEY_OUTBOUND_PORTS: list
    .refine(
      (words) => words.every((word) => /^\d{1,5}$/.test(word) && Number(word) >= 1 && Number(word) <= 65_535),
      "must be port numbers, with commas",
    )
    .transform((words) => words.map(Number))
    .default([443, 8443])
    .describe("The ports of the public internet that such URLs may name, with commas."),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe(
      "A PostgreSQL 15 or later, such as `postgresql://parley@db.example/parley`. Left out: an embedded one in the data folder.",
    ),
});
type RawSettings = z.infer<typeof SettingsSchema>;
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
  /** Whether the service listens on this machine alone and is reached at no other address. */
  readonly isOnLoopback: boolean;
  readonly trustProxy: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly signUp: "open" | "closed";
  /** Whether the operator said so, or it follows from where the service listens. */
  readonly isSignUpChosen: boolean;
  /** A database of its own, no address but loopback, no proxy before it. */
  readonly isForThisMachineAlone: boolean;
  readonly dashboard: "on" | "off";
  readonly secret: string | null;
  readonly operatorToken: string | null;
  readonly logLevel: RawSettings["PARLEY_LOG_LEVEL"];
  readonly requestsPerSecond: number;
  readonly callSlotsMax: number;
  readonly databaseConnectionsMax: number;
  readonly simulatedNetwork: { readonly host: string; readonly port: number } | null;
  readonly chargesSimulatedCalls: boolean;
  /** What the file of trunks says; null when none is named. */
  readonly trunks: ConfiguredTrunks | null;
  readonly internal: InternalSettings;
  readonly sip: SipSettings;
  readonly conversations: ConversationSettings;
  /** The models that the settings choose by themselves; operators may set further ones. */
  readonly models: ModelSettings;
  readonly modelEnvironment: RawModelSettings;
  /** Where recordings are kept; null for the data folder. */
  readonly bucket: BucketSettings | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string;
  /** What customers' URLs may reach beside the public internet; null when the operator did not say. */
  readonly outboundAllow: readonly string[] | null;
  readonly outboundDeny: readonly string[];
  readonly outboundPorts: readonly number[];
  readonly databaseUrl: string | null;
}
