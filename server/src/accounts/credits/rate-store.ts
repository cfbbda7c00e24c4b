import type { ProviderUnit } from "@parley/contract/engines";
import type { Selectable } from "kysely";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema/schema.ts";

export interface RateRow {
  readonly prefix: string;
  readonly route_micros: bigint;
  readonly engine_micros: bigint;
}

/** The longest of these prefixes that has a rate, with the price of the engine; an engine not listed costs nothing. */
export async function findRateRow(db: Database, prefixes: readonly string[], engine: string): Promise<RateRow | null> {
  const [row] = await run<RateRow>(
    db,
    `/* find_rate */ select prefix, per_minute_micros as route_micros,
       coalesce((select e.per_minute_micros from engine_rates e where e.engine = $2), 0) as engine_micros
     from rates where prefix = any($1) order by length(prefix) desc limit 1`,
    [prefixes, engine],
  );
  return row ?? null;
}

/** The price of a minute by engine, for those that have one. */
export async function readEngineRates(db: Database): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.selectFrom("engine_rates").selectAll().execute();
  return new Map(rows.map((row) => [row.engine, row.per_minute_micros]));
}

/** What vendors charge, where an operator said so. */
export async function readProviderRates(db: Database): Promise<Selectable<Schema["provider_rates"]>[]> {
  return db.selectFrom("provider_rates").selectAll().orderBy("provider").orderBy("unit").execute();
}

/** Sets what a vendor charges for a unit, where null removes the rate, and returns the previous one, or null. */
export async function putProviderRate(
  tx: Tx,
  provider: string,
  unit: ProviderUnit,
  micros: bigint | null,
): Promise<bigint | null> {
  const before = await tx
    .selectFrom("provider_rates")
    .select("price_micros")
    .where("provider", "=", provider)
    .where("unit", "=", unit)
    .forUpdate()
    .executeTakeFirst();
  if (micros === null) {
    await tx.deleteFrom("provider_rates").where("provider", "=", provider).where("unit", "=", unit).execute();
  } else {
    await tx
      .insertInto("provider_rates")
      .values({ provider, unit, price_micros: micros })
      .onConflict((conflict) => conflict.columns(["provider", "unit"]).doUpdateSet({ price_micros: micros }))
      .execute();
  }
  return before?.price_micros ?? null;
}

export interface RouteRateRow {
  readonly prefix: string;
  readonly per_minute_micros: bigint;
  readonly description: string;
}

/** Filters of rates, beside the start of their prefixes. */
export interface RateFilter {
  /** The first word of the description. */
  readonly country?: string | undefined;
  /** Text in the description, case-insensitive. */
  readonly words?: string | undefined;
}

/** In the order of their prefixes, of those that begin with `start`, after a prefix. */
export async function listRouteRates(
  db: Database,
  start: string,
  after: string | null,
  rowsMax: number,
  { country, words }: RateFilter = {},
): Promise<RouteRateRow[]> {
  return run<RouteRateRow>(
    db,
    `select prefix, per_minute_micros, description from rates
     where starts_with(prefix, $1) and ($2::text is null or prefix collate "C" > $2)
       and ($4::text is null or description = $4 or starts_with(description, $4 || ' '))
       and ($5::text is null or position(lower($5) in lower(description)) > 0)
     order by prefix collate "C" limit $3`,
    [start, after, rowsMax, country ?? null, words ?? null],
  );
}

/** Sets the rate of a prefix and returns the previous one, or null. */
export async function putRouteRate(tx: Tx, rate: RouteRateRow): Promise<bigint | null> {
  const [before] = await run<{ per_minute_micros: bigint }>(
    tx,
    "select per_minute_micros from rates where prefix = $1 for update",
    [rate.prefix],
  );
  await run(
    tx,
    `insert into rates (prefix, per_minute_micros, description) values ($1, $2, $3)
     on conflict (prefix) do update set per_minute_micros = excluded.per_minute_micros, description = excluded.description`,
    [rate.prefix, rate.per_minute_micros, rate.description],
  );
  return before?.per_minute_micros ?? null;
}

/** Adds rates for prefixes that have none, and returns how many those were. */
export async function addMissingRates(tx: Tx, rates: readonly RouteRateRow[]): Promise<number> {
  const added = await run(
    tx,
    `insert into rates (prefix, per_minute_micros, description)
     select * from unnest($1::text[], $2::bigint[], $3::text[]) on conflict (prefix) do nothing returning 1`,
    [
      rates.map(({ prefix }) => prefix),
      rates.map(({ per_minute_micros }) => per_minute_micros),
      rates.map(({ description }) => description),
    ],
  );
  return added.length;
}

/** Sets many rates. Returns those that were added or changed, and whether each is new. */
export async function putRouteRates(tx: Tx, rates: readonly RouteRateRow[]): Promise<{ readonly is_new: boolean }[]> {
  return run<{ is_new: boolean }>(
    tx,
    `insert into rates as r (prefix, per_minute_micros, description)
     select * from unnest($1::text[], $2::bigint[], $3::text[])
     on conflict (prefix) do update
       set per_minute_micros = excluded.per_minute_micros, description = excluded.description
       where (r.per_minute_micros, r.description) is distinct from (excluded.per_minute_micros, excluded.description)
     returning xmax = 0 as is_new`,
    [
      rates.map(({ prefix }) => prefix),
      rates.map(({ per_minute_micros }) => per_minute_micros),
      rates.map(({ description }) => description),
    ],
  );
}

/** Returns the rate that was removed, or null. */
export async function deleteRouteRate(tx: Tx, prefix: string): Promise<bigint | null> {
  const [row] = await run<{ per_minute_micros: bigint }>(
    tx,
    "delete from rates where prefix = $1 returning per_minute_micros",
    [prefix],
  );
  return row?.per_minute_micros ?? null;
}

export async function putEngineRate(tx: Tx, engine: string, micros: bigint): Promise<void> {
  await run(
    tx,
    `insert into engine_rates (engine, per_minute_micros) values ($1, $2)
     on conflict (engine) do update set per_minute_micros = excluded.per_minute_micros`,
    [engine, micros],
  );
}
