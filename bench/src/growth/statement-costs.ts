import pg from "pg";

/** What PostgreSQL measured of the statements that ran since the last reset, from any client. */
export interface StatementCost {
  /** Its first words; PostgreSQL drops the comment with its name. */
  readonly name: string;
  readonly calls: number;
  /** Pages read, from memory or from disk. */
  readonly buffers: number;
  readonly ms: number;
}

/** Reads the counters of pg_stat_statements in one database. */
export class StatementCosts {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<StatementCosts> {
    const client = new pg.Client({ connectionString: url, application_name: "bench-costs" });
    await client.connect();
    await client.query("create extension if not exists pg_stat_statements");
    return new StatementCosts(client);
  }

  async reset(): Promise<void> {
    await this.#client.query("select pg_stat_statements_reset()");
  }

  /** Statements of this connection are left out. */
  async read(): Promise<StatementCost[]> {
    const { rows } = await this.#client.query<{ query: string; calls: number; buffers: number; ms: number }>(
      `select s.query, s.calls::int as calls, (s.shared_blks_hit + s.shared_blks_read)::float8 as buffers, s.total_exec_time as ms
       from pg_stat_statements s join pg_database d on d.oid = s.dbid
       where d.datname = current_database() and s.query not like '%pg_stat_statements%'`,
    );
    return rows.map(({ query, ...cost }) => ({ name: nameOf(query), ...cost }));
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

function nameOf(query: string): string {
  return query.replaceAll(/\s+/g, " ").slice(0, 50);
}

export function sumOf(costs: readonly StatementCost[], figure: "buffers" | "ms" | "calls"): number {
  return costs.reduce((sum, cost) => sum + cost[figure], 0);
}
