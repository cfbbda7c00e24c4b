import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { canUnprivilegedIdentityReach } from "../database/embedded/unprivileged-identity.ts";
import { findBucketMistakes, toBucketSettings } from "./bucket-settings.ts";
import { toConversationSettings } from "./conversation-settings.ts";
import { findDatabaseMistakes, toReplicaSettings } from "./database-settings.ts";
import { readEngineSettings } from "./engine-settings.ts";
import { findInternalMistakes, toInternalSettings } from "./internal-settings.ts";
import { sizeMachine, workerEnvironment } from "./machine-size.ts";
import { toModelSettings } from "./model-settings.ts";
import { type ReadTrunksFile, readTrunksFile } from "./read-trunks-file.ts";
import { SETTING_NAMES, type Settings, SettingsSchema } from "./settings.ts";
import { findSipMistakes, toSipSettings } from "./sip-settings.ts";
import { toTelemetrySettings } from "./telemetry-settings.ts";

const SETTINGS_FILE = "parley.env";
const NO_TRUNKS_FILE: ReadTrunksFile = { configured: null, mistakes: [], variables: [] };

/** All invalid settings, so that they are reported together. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`The settings are invalid:\n${mistakes.map((mistake) => `  - ${mistake}`).join("\n")}`);
    this.mistakes = mistakes;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment and the settings file (the environment takes precedence), or throws with all mistakes. Only the
 * service reads the trunks file: commands also work without access to its passwords.
 */
export function readSettings(
  environment: Environment = process.env,
  folder: string = process.cwd(),
  reader: "service" | "command" = "service",
): Settings {
  const file = readSettingsFile(environment["PARLEY_SETTINGS_FILE"], folder);
  const merged = { ...file, ...withoutEmpty(environment) };
  const trunksFile = merged["PARLEY_TRUNKS"];
  const trunks = trunksFile ? readTrunksFile(resolve(folder, trunksFile), merged) : NO_TRUNKS_FILE;
  const mistakes = unknownNames(file, environment, trunks.variables);
  const parsed = SettingsSchema.safeParse(merged);
  if (!parsed.success) {
    mistakes.push(
      ...parsed.error.issues.map((issue) => `${issue.path[0]?.toString() ?? "settings"}: ${issue.message}`),
    );
  }
  if (reader === "service") mistakes.push(...trunks.mistakes);
  const sip = parsed.success ? toSipSettings(parsed.data, folder) : null;
  if (sip) mistakes.push(...findSipMistakes(sip));
  const internal = parsed.success ? toInternalSettings(parsed.data) : null;
  if (internal) mistakes.push(...findInternalMistakes(internal));
  if (parsed.success) mistakes.push(...findBucketMistakes(parsed.data), ...findDatabaseMistakes(parsed.data));
  const models = parsed.success ? toModelSettings(parsed.data) : null;
  if (models) mistakes.push(...models.mistakes);
  const engines = parsed.success ? readEngineSettings(parsed.data, folder) : null;
  if (engines) mistakes.push(...engines.mistakes);
  if (!parsed.success || !sip || !internal || !models || !engines || mistakes.length > 0)
    throw new SettingsError(mistakes);
  const raw = parsed.data;
  // Processes with chosen roles are started by an operator, who decides how many there are.
  const isWhole = raw.PARLEY_ROLES.includes("api") && raw.PARLEY_ROLES.includes("calls");
  const hasConversations = raw.PARLEY_CONVERSATION_THREADS !== 0;
  const isDivided = isWhole && (hasConversations || raw.PARLEY_WORKER_PROCESSES !== undefined);
  const size = sizeMachine(raw.PARLEY_CORES ?? availableParallelism(), isDivided ? raw.PARLEY_WORKER_PROCESSES : 0);
  const dataDir = chooseDataDir(raw.PARLEY_DATA_DIR, folder);
  const isLoopback = isLoopbackHost(raw.PARLEY_HOST);
  const isUnpublished = isLoopback && raw.PARLEY_PUBLIC_URL === undefined && raw.PARLEY_TRUST_PROXY.length === 0;
  const publicHost = raw.PARLEY_PUBLIC_URL ? new URL(raw.PARLEY_PUBLIC_URL).hostname : null;
  const [networkHost = "", networkPort = ""] = raw.PARLEY_SIMULATED_NETWORK?.split(":") ?? [];
  return {
    host: raw.PARLEY_HOST,
    port: raw.PARLEY_PORT,
    dataDir,
    roles: raw.PARLEY_ROLES,
    publicUrl: raw.PARLEY_PUBLIC_URL ?? null,
    isOnLoopback: isLoopback && (publicHost === null || isLoopbackHost(publicHost)),
    trustProxy: raw.PARLEY_TRUST_PROXY,
    corsOrigins: raw.PARLEY_CORS_ORIGINS,
    dashboard: raw.PARLEY_DASHBOARD,
    signUp: raw.PARLEY_SIGN_UP ?? (isUnpublished ? "open" : "closed"),
    isSignUpChosen: raw.PARLEY_SIGN_UP !== undefined,
    isForThisMachineAlone: isUnpublished && raw.DATABASE_URL === undefined,
    secret: raw.PARLEY_SECRET ?? null,
    operatorToken: raw.PARLEY_OPERATOR_TOKEN ?? null,
    logLevel: raw.PARLEY_LOG_LEVEL,
    requestsPerSecond: raw.PARLEY_RATE_LIMIT,
    cores: size.workerCores,
    workerProcesses: size.workers,
    workerEnvironment: workerEnvironment(environment, { count: size.workers, cores: size.workerCores, dataDir }),
    callSlotsMax: raw.PARLEY_CALL_SLOTS,
    admission: raw.PARLEY_ADMISSION,
    databaseConnectionsMax: raw.PARLEY_DATABASE_CONNECTIONS,
    callRetentionDays: raw.PARLEY_CALL_RETENTION_DAYS ?? null,
    auditRetentionDays: raw.PARLEY_AUDIT_RETENTION_DAYS ?? null,
    simulatedNetwork: networkHost ? { host: networkHost, port: Number(networkPort) } : null,
    chargesSimulatedCalls: raw.PARLEY_CHARGE_SIMULATED_CALLS === "on",
    trunks: reader === "service" ? trunks.configured : null,
    vendorUrls: { twilio: raw.PARLEY_TWILIO_URL ?? null, telnyx: raw.PARLEY_TELNYX_URL ?? null },
    telemetry: toTelemetrySettings(raw),
    internal,
    sip,
    conversations: toConversationSettings(raw, size.workerCores),
    models: models.settings,
    modelEnvironment: raw,
    engines: engines.settings,
    bucket: toBucketSettings(raw),
    smtpUrl: raw.PARLEY_SMTP_URL ?? null,
    mailFrom: raw.PARLEY_MAIL_FROM,
    outboundAllow: raw.PARLEY_OUTBOUND_ALLOW ?? null,
    outboundDeny: raw.PARLEY_OUTBOUND_DENY,
    outboundPorts: raw.PARLEY_OUTBOUND_PORTS,
    databaseUrl: raw.DATABASE_URL ?? null,
    databaseDirectUrl: raw.DATABASE_DIRECT_URL ?? null,
    replica: toReplicaSettings(raw),
  };
}

/** Reads one variable by name, for passwords in the environment. */
export function readVariable(name: string, environment: Environment = process.env): string | undefined {
  return environment[name];
}

function readSettingsFile(named: string | undefined, folder: string): Record<string, string> {
  const path = resolve(folder, named ?? SETTINGS_FILE);
  if (!existsSync(path)) {
    if (named) throw new SettingsError([`PARLEY_SETTINGS_FILE: ${path} does not exist`]);
    return {};
  }
  return withoutEmpty(parseEnv(readFileSync(path, "utf8")));
}

/** Reports unknown names with our prefix: typos would otherwise be ignored silently. */
function unknownNames(file: Environment, environment: Environment, variables: readonly string[]): string[] {
  const known = new Set<string>([...SETTING_NAMES, "PARLEY_SETTINGS_FILE", ...variables]);
  const fromFile = Object.keys(file).filter((name) => !known.has(name));
  const fromEnvironment = Object.keys(environment).filter((name) => name.startsWith("PARLEY_") && !known.has(name));
  return [...new Set([...fromFile, ...fromEnvironment])].map((name) => `${name}: there is no such setting`);
}

/** A URL writes IPv6 addresses in brackets. */
function isLoopbackHost(host: string): boolean {
  return /^127(\.\d+){3}$/.test(host) || ["::1", "[::1]", "localhost"].includes(host);
}

function withoutEmpty(values: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

const DEFAULT_NAME = ".parley";

/**
 * The data folder. If run by root, the embedded database runs as `nobody`, who cannot enter a
 * checkout under a private home: the default is then a folder for this checkout under /var/lib/parley.
 */
export function chooseDataDir(named: string | undefined, folder: string): string {
  const wanted = resolve(folder, named ?? DEFAULT_NAME);
  if (named !== undefined || process.getuid?.() !== 0 || canUnprivilegedIdentityReach(folder)) return wanted;
  const checkout = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  return join("/var/lib/parley", checkout);
}
