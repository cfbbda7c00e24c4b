import { NewRouteRate } from "@parley/contract/credits";
import { formatUsd, UsdInput } from "@parley/contract/money";
import {
  fillRates,
  type RateChanger,
  removeRouteRate,
  setEngineRate,
  setRouteRate,
} from "../accounts/credits/change-rates.ts";
import { toRouteRate } from "../accounts/credits/rate-routes.ts";
import { listRouteRates, type RouteRateRow, readEngineRates } from "../accounts/credits/rate-store.ts";
import type { EngineRegistry } from "../speech/models/engine-registry.ts";
import { joinEngines } from "../start/engines.ts";
import { readPages } from "./account-lookup.ts";
import { type Command, type CommandContext, readField } from "./command.ts";
import { formatTable } from "./table.ts";

const BY_OPERATOR: RateChanger = { accountId: null, actor: "operator" };

/** People write prefixes with the plus sign and without. */
function readPrefix(name: string, text: string): string {
  return readField(NewRouteRate.shape.prefix, name, text.startsWith("+") ? text : `+${text}`);
}

export const ratesList: Command = {
  name: "rates list",
  summary: "Show what a minute costs, by what numbers begin with, and by engine",
  words: [],
  options: { prefix: { value: "PREFIX", help: "Only those that begin so, such as +49" } },
  async run(input, context) {
    const start = readPrefix("--prefix", input.option("prefix") ?? "+");
    const { db } = await context.openService();
    const rows = await readPages<RouteRateRow>((rowsMax, last) =>
      listRouteRates(db, start, last?.prefix ?? null, rowsMax),
    );
    const prices = await readEngineRates(db);
    const routes = rows.map(toRouteRate);
    const engines = [...prices].map(([engine, micros]) => ({ engine, perMinute: formatUsd(micros) }));
    return {
      json: { routes, engines, currency: "USD" },
      text: [
        formatTable(
          ["prefix", "USD a minute", "what"],
          routes.map(({ prefix, perMinute, description }) => [prefix, perMinute, description]),
        ),
        formatTable(
          ["engine", "USD a minute"],
          engines.map(({ engine, perMinute }) => [engine, perMinute]),
        ),
      ].join("\n\n"),
    };
  },
};

export const ratesSet: Command = {
  name: "rates set",
  summary: "Set what a minute to numbers that begin with a prefix costs, in USD",
  words: ["PREFIX", "PRICE"],
  options: { description: { value: "TEXT", help: "What these numbers are" } },
  async run(input, context) {
    const prefix = readPrefix("PREFIX", input.word("PREFIX"));
    const perMinute = readField(UsdInput, "PRICE", input.word("PRICE"));
    const description = readField(NewRouteRate.shape.description, "--description", input.option("description"));
    const { db } = await context.openService();
    const rate = await setRouteRate(db, { prefix, perMinute, description }, BY_OPERATOR);
    return {
      json: rate,
      text: `A minute to ${prefix} now costs ${rate.perMinute} USD, for calls accepted from now on.`,
    };
  },
};

export const ratesRemove: Command = {
  name: "rates remove",
  summary: "Remove the rate of a prefix; a shorter one applies, where there is one",
  words: ["PREFIX"],
  options: {},
  async run(input, context) {
    const prefix = readPrefix("PREFIX", input.word("PREFIX"));
    const { db } = await context.openService();
    await removeRouteRate(db, prefix, BY_OPERATOR);
    return { json: { prefix }, text: `${prefix} has no rate of its own any more.` };
  },
};

/** Every combination of vendors is known by name, whether or not its keys are set. */
function knownEngines({ settings }: CommandContext): EngineRegistry {
  const { models, modelEnvironment: environment } = settings;
  return joinEngines({ settings }, { current: () => ({ ...models, environment }) });
}

export const ratesEngine: Command = {
  name: "rates engine",
  summary: "Set what a minute of an engine costs, in USD",
  words: ["ENGINE", "PRICE"],
  options: {},
  async run(input, context) {
    const { name } = knownEngines(context).requireKnownEngine(input.word("ENGINE"));
    const perMinute = readField(UsdInput, "PRICE", input.word("PRICE"));
    const { db } = await context.openService();
    const rate = await setEngineRate(db, name, perMinute, BY_OPERATOR);
    return { json: rate, text: `A minute of ${name} now costs ${rate.perMinute} USD, for calls accepted from now on.` };
  },
};

export const ratesFill: Command = {
  name: "rates fill",
  summary: "Add the rates of numbers that have none, after an update",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openService();
    const added = await fillRates(db, BY_OPERATOR);
    return { json: { added }, text: added === 0 ? "Nothing was missing." : `${added} rates were added.` };
  },
};
