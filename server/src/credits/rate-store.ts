import { type Database, run } from "../database/database.ts";

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
