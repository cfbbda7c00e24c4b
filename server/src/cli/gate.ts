import { type GateRules, GateRulesChanges } from "@parley/contract/gate";
import { changeGate, readGate } from "../phone/gate/change-gate.ts";
import type { Database } from "../platform/database/database.ts";
import { findAccount } from "./account-lookup.ts";
import { type Command, type CommandInput, type CommandResult, UsageError } from "./command.ts";
import { formatTable } from "./table.ts";

const ACCOUNT = { account: { value: "ACCOUNT", help: "The rules that this account has of its own" } };

export const gateShow: Command = {
  name: "gate show",
  summary: "Show who may be called",
  words: [],
  options: ACCOUNT,
  async run(input, context) {
    const { db } = await context.openService();
    return show(await readGate(db, await accountIdOf(db, input)));
  },
};

export const gateChange: Command = {
  name: "gate change",
  summary: "Change who may be called; `none` takes a rule away",
  words: [],
  options: {
    ...ACCOUNT,
    countries: { value: "DE,AT", help: "Only these, by ISO 3166 code" },
    "rate-max": { value: "USD", help: "No number that costs more a minute" },
    "per-number": { value: "N", help: "Most calls to one number in a day" },
    "per-range": { value: "N", help: "Most calls in an hour to numbers that differ in their last three digits" },
    "per-country": { value: "N", help: "Most calls to one country in an hour" },
    hours: { value: "09:00-20:00", help: "Calling hours in the callee's own time zone" },
    "ignore-hours": { value: "yes|no", help: "Whether a call may ignore them" },
  },
  async run(input, context) {
    const changes = readChanges(input);
    const { db } = await context.openService();
    const accountId = await accountIdOf(db, input);
    return show(await changeGate(db, accountId, changes, { accountId, actor: "operator" }));
  },
};

async function accountIdOf(db: Database, input: CommandInput): Promise<string | null> {
  const name = input.option("account");
  return name === undefined ? null : (await findAccount(db, name)).id;
}

function readChanges(input: CommandInput): GateRulesChanges {
  const read = <T>(option: string, parse: (text: string) => T): T | null | undefined => {
    const text = input.option(option);
    if (text === undefined) return undefined;
    return text === "none" ? null : parse(text);
  };
  const whole = (option: string) => read(option, Number);
  const given = {
    countries: read("countries", (text) => text.toUpperCase().split(",")),
    ratePerMinuteMax: read("rate-max", String),
    callsPerNumberAndDay: whole("per-number"),
    callsPerRangeAndHour: whole("per-range"),
    callsPerCountryAndHour: whole("per-country"),
    callingHours: read("hours", (text) => ({ start: text.split("-")[0], end: text.split("-")[1] })),
    mayIgnoreCallingHours: read("ignore-hours", (text) => (text === "yes" ? true : text === "no" ? false : text)),
  };
  const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(wanted).length === 0) throw new UsageError("Name at least one rule to change.");
  const result = GateRulesChanges.safeParse(wanted);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`${issue?.path.join(".")}: ${issue?.message}.`);
}

function show(rules: GateRules): CommandResult {
  const { callingHours: hours, countries } = rules;
  const said = (value: unknown) => (value === null ? "-" : String(value));
  const rows = [
    ["countries", countries === null ? "-" : countries.join(" ")],
    ["USD a minute at most", said(rules.ratePerMinuteMax)],
    ["countries above that", rules.shutOutByCap.countries.join(" ") || "-"],
    ["countries partly above that", rules.shutOutByCap.partly.join(" ") || "-"],
    ["calls to a number a day", said(rules.callsPerNumberAndDay)],
    ["calls to a range an hour", said(rules.callsPerRangeAndHour)],
    ["calls to a country an hour", said(rules.callsPerCountryAndHour)],
    ["calling hours", hours === null ? "-" : `${hours.start}-${hours.end}`],
    ["may be ignored", rules.mayIgnoreCallingHours === null ? "-" : rules.mayIgnoreCallingHours ? "yes" : "no"],
  ];
  return { json: rules, text: formatTable(["rule", "value"], rows) };
}
