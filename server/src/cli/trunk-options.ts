import { AppError } from "@parley/contract/errors";
import type { z } from "zod";
import { validate } from "../platform/http/validate.ts";
import { type CommandContext, type CommandInput, type CommandOption, UsageError } from "./command.ts";

type Kind = "text" | "number" | "list" | "yes_no" | "address";
interface FieldOption extends CommandOption {
  readonly field: string;
  readonly kind: Kind;
}

const text = (field: string, value: string, help: string): FieldOption => ({ field, kind: "text", value, help });
const number = (field: string, help: string): FieldOption => ({ field, kind: "number", value: "N", help });
const yesNo = (field: string, help: string): FieldOption => ({ field, kind: "yes_no", value: "yes|no", help });

/** How each field of a trunk is given on the command line. `none` clears an optional field. */
const FIELDS: Readonly<Record<string, FieldOption>> = {
  name: text("name", "NAME", "What people call it"),
  host: text("host", "HOST", "Its name or address"),
  port: number("port", "Left out: as DNS says, else the usual one"),
  transport: text("transport", "udp|tcp|tls", "How SIP travels; udp if left out"),
  proxy: text("outboundProxy", "URI", "Where requests go first, such as sip:proxy.example.com;transport=tcp"),
  username: text("username", "NAME", "For trunks that ask for a password"),
  "register-as": text("registersAs", "NAME", "Register under this name, for trunks that want it"),
  "caller-ids": {
    field: "callerIds",
    kind: "list",
    value: "+A,+B",
    help: "Numbers that may be shown; the first is usual",
  },
  codecs: { field: "codecs", kind: "list", value: "PCMU,PCMA", help: "In order of preference" },
  srtp: text("srtp", "off|optional|required", "Whether sound is encrypted; off if left out"),
  channels: number("channelsMax", "Most calls at once"),
  "calls-per-second": number("callsPerSecond", "Calls sent per second"),
  "number-format": text("numberFormat", "e164|digits", "+4930... or 4930...; e164 if left out"),
  "dial-prefix": text("dialPrefix", "DIGITS", "Put before every number"),
  "public-address": {
    field: "publicAddress",
    kind: "address",
    value: "HOST:PORT",
    help: "Where the trunk reaches our SIP",
  },
  "public-media-host": text("publicMediaHost", "ADDRESS", "Where the trunk reaches our sound"),
  "from-host": text("fromHost", "HOST", "The host in From, where it must not be HOST"),
  "ping-seconds": number("pingIntervalSeconds", "How often it is asked whether it is there; 60 if left out"),
  "no-response-ms": number(
    "noResponseMs",
    "Without any response for so long the next trunk is tried; 4000 if left out",
  ),
  "session-timer-seconds": number(
    "sessionTimerSeconds",
    "How long a call lives without a sign of life; 180 if left out",
  ),
  "reliable-ringing": yesNo("offersReliableRinging", "Whether ringing may be acknowledged; yes if left out"),
  "asserts-identity": yesNo("assertsIdentity", "Also state the number in P-Asserted-Identity; no if left out"),
  "tcp-for-large": yesNo("allowsTcpForLarge", "Whether large requests may go over TCP; no if left out"),
  "stay-on-first-hop": yesNo("staysOnFirstHop", "For trunks whose Contact cannot be reached; no if left out"),
};

const PASSWORD_OPTIONS: Readonly<Record<string, CommandOption>> = {
  "password-stdin": { help: "Ask for the password, or read it from standard input where that is no terminal" },
  "password-env": { value: "VARIABLE", help: "Take the password from this variable instead" },
};

/** The options of a command about one trunk, some of them demanded. */
export function trunkOptions(required: readonly string[]): Readonly<Record<string, CommandOption>> {
  const options = Object.entries(FIELDS).map(([name, { value, help }]): [string, CommandOption] => [
    name,
    { help, ...(value === undefined ? {} : { value }), isRequired: required.includes(name) },
  ]);
  return { ...Object.fromEntries(options), ...PASSWORD_OPTIONS };
}

/** Parses the options by the rules of the API, or reports the wrong one. The password is never an argument. */
export async function readTrunkOptions<S extends z.ZodType>(
  schema: S,
  input: CommandInput,
  context: CommandContext,
): Promise<z.output<S>> {
  const given = Object.entries(FIELDS).flatMap(([name, { field, kind }]): [string, unknown][] => {
    const value = input.option(name);
    return value === undefined ? [] : [[field, toValue(name, kind, value)]];
  });
  const password = await readPassword(input, context);
  const fields = { ...Object.fromEntries(given), ...(password === null ? {} : { password }) };
  return inWordsOfOptions(() => validate(schema, fields));
}

/** Names the option where the API would name the field. */
export async function inWordsOfOptions<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
    const lines = error.details.map(({ param, message }) => `${optionOf(param)}: ${withoutParam(message, param)}.`);
    throw new UsageError(lines.length > 0 ? lines.join("\n") : error.message);
  }
}

/** Some refusals are whole sentences that begin with the field. */
function withoutParam(message: string, param: string): string {
  return (message.startsWith(`${param} `) ? message.slice(param.length + 1) : message).replace(/\.$/, "");
}

function optionOf(param: string): string {
  const field = param.split(/[.[]/, 1)[0];
  if (field === "password") return "--password-stdin or --password-env";
  const found = Object.entries(FIELDS).find(([, option]) => option.field === field)?.[0];
  return found ? `--${found}` : `--${field}`;
}

function toValue(name: string, kind: Kind, value: string): unknown {
  if (value === "none" && kind !== "list" && kind !== "yes_no") return name === "dial-prefix" ? "" : null;
  switch (kind) {
    case "text":
      return value;
    case "list":
      return value === "none" || value === "" ? [] : value.split(",").map((part) => part.trim());
    case "number":
      if (!/^\d+(\.\d+)?$/.test(value)) throw new UsageError(`--${name} must be a number or none, not "${value}".`);
      return Number(value);
    case "yes_no":
      if (value !== "yes" && value !== "no") throw new UsageError(`--${name} must be yes or no, not "${value}".`);
      return value === "yes";
    case "address": {
      const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
      if (!host) throw new UsageError(`--${name} must be HOST:PORT or none, not "${value}".`);
      return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
    }
  }
}

async function readPassword(input: CommandInput, context: CommandContext): Promise<string | null> {
  const variable = input.option("password-env");
  if (variable !== undefined) {
    const value = context.readVariable(variable);
    if (value === undefined || value === "") throw new UsageError(`--password-env: ${variable} is not set.`);
    return value;
  }
  return input.has("password-stdin") ? context.readSecret() : null;
}
