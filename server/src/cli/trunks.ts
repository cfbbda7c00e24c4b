import { AppError } from "@parley/contract/errors";
import { NewTrunk, type Trunk, TrunkChanges } from "@parley/contract/trunks";
import type { z } from "zod";
import { changeTrunk, createTrunk, removeTrunk } from "../phone/trunks/change-trunk.ts";
import { refuseUnreachable } from "../phone/trunks/reach.ts";
import { listTrunks, readTrunk } from "../phone/trunks/read-trunks.ts";
import type { TrunkRow } from "../phone/trunks/trunk-record.ts";
import { findTrunkNamed, readTrunkRow } from "../phone/trunks/trunk-store.ts";
import type { Database } from "../platform/database/database.ts";
import { validate } from "../platform/http/validate.ts";
import { readPages } from "./account-lookup.ts";
import {
  type Command,
  type CommandContext,
  CommandFailure,
  type CommandInput,
  type CommandOption,
  UsageError,
} from "./command.ts";
import { formatColumns, formatTable, printable } from "./table.ts";

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
  kind: text("kind", "sip|twilio|telnyx", "How it is reached; sip if left out"),
  host: text("host", "HOST", "The name or address of a SIP trunk"),
  port: number("port", "Default: from DNS, otherwise the transport's standard port"),
  transport: text("transport", "udp|tcp|tls", "How SIP travels; udp if left out"),
  proxy: text("outboundProxy", "URI", "Where requests go first, such as sip:proxy.example.com;transport=tcp"),
  username: text(
    "username",
    "NAME",
    "For trunks that ask for a password; the account SID of Twilio, the application ID of Telnyx",
  ),
  "public-key": text("publicKey", "KEY", "The public key of a Telnyx account, which signs its webhooks"),
  "register-as": text("registersAs", "NAME", "Register under this name, for trunks that want it"),
  "caller-ids": {
    field: "callerIds",
    kind: "list",
    value: "+A,+B",
    help: "Numbers that may be shown; the first is usual",
  },
  codecs: { field: "codecs", kind: "list", value: "PCMU,PCMA", help: "In order of preference: PCMU, PCMA, G722, OPUS" },
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

export const trunksList: Command = {
  name: "trunks list",
  summary: "Show every trunk, with its calls and how it does",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openService();
    const trunks = await readPages<Trunk>((rowsMax, last) => listTrunks(db, rowsMax, last?.id ?? null));
    const table = trunks.map((trunk) => [
      trunk.name,
      trunk.id,
      `${trunk.kind === "sip" ? trunk.transport : trunk.kind}:${trunk.host}${trunk.port === null ? "" : `:${trunk.port}`}`,
      trunk.isEnabled ? "yes" : "no",
      trunk.managedBy,
      `${trunk.activeCalls}${trunk.channelsMax === null ? "" : ` of ${trunk.channelsMax}`}`,
      describeRate(trunk.answers),
      describeHealth(trunk),
    ]);
    const headings = ["name", "id", "host", "enabled", "managed by", "calls", "answered (7 days)", "health"];
    return { json: trunks, text: formatTable(headings, table) };
  },
};

function describeRate({ attempts, answered, answerRate }: Trunk["answers"]): string {
  return answerRate === null ? "no calls" : `${Math.round(answerRate * 100)} % (${answered} of ${attempts})`;
}

/** The worst that any worker says. */
function describeHealth({ health }: Trunk): string {
  if (health.length === 0) return "not known";
  const bad = health.find(
    (word) => word.circuit === "open" || word.isReachable === false || word.isRegistered === false,
  );
  const worst = bad ?? health.find((word) => word.circuit === "half_open");
  if (!worst) return "well";
  if (worst.isReachable === false) return `not reachable${worst.trouble === null ? "" : `: ${worst.trouble}`}`;
  if (worst.isRegistered === false) return `not registered${worst.trouble === null ? "" : `: ${worst.trouble}`}`;
  return `${worst.circuit === "open" ? "gets no calls" : "is being tried"}${worst.trouble === null ? "" : `: ${worst.trouble}`}`;
}

export const trunksShow: Command = {
  name: "trunks show",
  summary: "Show everything about a trunk but its password",
  words: ["TRUNK"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
    const trunk = await readTrunk(db, (await findTrunk(db, input.word("TRUNK"))).id);
    const { answers, answersByCallerId, answersByDay, health: _, ...fields } = trunk;
    const rows = Object.entries(fields).map(([field, value]) => [field, spell(value)]);
    const callers = answersByCallerId.map(({ callerId, ...counts }) => [callerId ?? "none", describeRate(counts)]);
    const days = answersByDay.map(({ day, ...counts }) => [day, describeRate(counts)]);
    return {
      json: trunk,
      text: [
        ...formatColumns([...rows, ["health", describeHealth(trunk)], ["answered (7 days)", describeRate(answers)]]),
        ...(callers.length > 0 ? ["", formatTable(["caller id", "answered (7 days)"], callers)] : []),
        ...(days.length > 0 ? ["", formatTable(["day", "answered"], days)] : []),
      ].join("\n"),
    };
  },
};

function spell(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (typeof value === "object") return Object.values(value).join(":");
  return String(value);
}

export const trunksAdd: Command = {
  name: "trunks add",
  summary: "Add a trunk; calls go out on it once a route leads to it",
  words: [],
  options: trunkOptions(["name"]),
  async run(input, context) {
    const trunk = await readTrunkOptions(NewTrunk, input, context);
    await inWordsOfOptions(() => refuseUnreachable(trunk.kind, context.settings));
    const { db, secrets } = await context.openService();
    const id = await inWordsOfOptions(() => createTrunk(db, secrets, trunk, BY_OPERATOR));
    return {
      json: { id, name: trunk.name },
      text: id,
      notes: [`Trunk ${printable(trunk.name)}. Lead numbers to it by \`routes add PREFIX TRUNK\`.`],
    };
  },
};

export const trunksChange: Command = {
  name: "trunks change",
  summary: "Change what is named of a trunk and leave the rest",
  words: ["TRUNK"],
  options: trunkOptions([], ["kind"]),
  async run(input, context) {
    const changes = await readTrunkOptions(TrunkChanges, input, context);
    const { db, secrets } = await context.openService();
    const { id, name } = await findTrunk(db, input.word("TRUNK"));
    await inWordsOfOptions(() => changeTrunk(db, secrets, id, changes, BY_OPERATOR));
    return { json: { id, name: changes.name ?? name }, text: `Trunk ${printable(changes.name ?? name)} was changed.` };
  },
};

export const trunksEnable: Command = enabling("enable", "Let calls go out on a trunk", true);
export const trunksDisable: Command = enabling("disable", "Send no more calls out on a trunk; live ones go on", false);

function enabling(verb: "enable" | "disable", summary: string, isEnabled: boolean): Command {
  return {
    name: `trunks ${verb}`,
    summary,
    words: ["TRUNK"],
    options: {},
    async run(input, context) {
      const { db, secrets } = await context.openService();
      const trunk = await findTrunk(db, input.word("TRUNK"));
      await changeTrunk(db, secrets, trunk.id, { isEnabled }, BY_OPERATOR);
      const live = isEnabled || trunk.active_count === 0 ? "" : ` Calls still on it: ${trunk.active_count}.`;
      return {
        json: { id: trunk.id, name: trunk.name, isEnabled },
        text: `Trunk ${printable(trunk.name)} is ${verb}d.${live}`,
      };
    },
  };
}

export const trunksRemove: Command = {
  name: "trunks remove",
  summary: "Remove a trunk that no route leads to and no call is on",
  words: ["TRUNK"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
    const { id, name } = await findTrunk(db, input.word("TRUNK"));
    await removeTrunk(db, id, BY_OPERATOR);
    return { json: { id, name }, text: `Trunk ${printable(name)} was removed.` };
  },
};

/** The trunk that a person means by its name, in any capitals, or by its id. */
export async function findTrunk(db: Database, wanted: string): Promise<TrunkRow> {
  const found = (await readTrunkRow(db, wanted)) ?? (await findTrunkNamed(db, wanted));
  if (!found) throw new CommandFailure(`There is no trunk "${printable(wanted)}". \`trunks list\` shows them all.`);
  return found;
}

/** The name of the command line in the audit log. */
export const BY_OPERATOR = { accountId: null, actor: "operator" } as const;

function trunkOptions(
  required: readonly string[],
  fixed: readonly string[] = [],
): Readonly<Record<string, CommandOption>> {
  const fields = Object.entries(FIELDS).filter(([name]) => !fixed.includes(name));
  const options = fields.map(([name, { value, help }]): [string, CommandOption] => [
    name,
    { help, ...(value === undefined ? {} : { value }), isRequired: required.includes(name) },
  ]);
  return { ...Object.fromEntries(options), ...PASSWORD_OPTIONS };
}

/** Parses the options by the rules of the API, or reports the wrong one. The password is never an argument. */
async function readTrunkOptions<S extends z.ZodType>(
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
async function inWordsOfOptions<T>(work: () => T | Promise<T>): Promise<T> {
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
