import pg from "pg";
import { readDatabaseUrl, type ServerTarget } from "./database-url.ts";

/** Options for a client or a pool of `pg`. */
export interface ConnectOptions {
  readonly connectionString: string;
  /** The class of client that a pool creates. */
  readonly Client?: typeof pg.Client;
}

/** A found server is used for connections that are opened within this time; a pool opens several at once. */
const FOUND_FOR_MS = 1000;
const PROBE_WITHIN_MS = 3000;
/** PostgreSQL, appendix A: read_only_sql_transaction. A fail-over that is under way reads the same everywhere. */
const READ_ONLY = "25006";

/**
 * How to connect to the database of a URL. If it lists several servers, each new connection goes to one that fits the URL's
 * `target_session_attrs`, or the given default: after a fail-over, to the server that took over.
 */
export function connectTo(url: string, usualTarget: ServerTarget = "read-write"): ConnectOptions {
  const read = readDatabaseUrl(url);
  if (read === null) throw new Error("not the URL of a PostgreSQL database");
  const { servers, target } = read;
  if (servers.length === 1) return { connectionString: servers[0] };
  const find = createServerFinder(servers, target ?? usualTarget);

  class FindingClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: (...outcome: never[]) => void): Promise<pg.Client> | undefined {
      const connected = find().then((server) => {
        const { hostname, port } = new URL(server);
        const address = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 5432) };
        Object.assign(this, address);
        Object.assign((this as unknown as { connectionParameters: object }).connectionParameters, address);
        return super.connect();
      });
      if (callback === undefined) return connected;
      const report = callback as (error: Error | null) => void;
      connected.then(() => report(null), report);
      return undefined;
    }
  }
  return { connectionString: servers[0], Client: FindingClient };
}

/** A single client, outside any pool. */
export function createClient(url: string, options: Omit<pg.ClientConfig, "connectionString">): pg.Client {
  const { connectionString, Client = pg.Client } = connectTo(url);
  return new Client({ ...options, connectionString });
}

function createServerFinder(servers: readonly string[], target: ServerTarget): () => Promise<string> {
  let found: { readonly server: Promise<string>; readonly untilMs: number } | null = null;
  return () => {
    if (found === null || performance.now() >= found.untilMs) {
      const search = { server: findServer(servers, target), untilMs: Number.POSITIVE_INFINITY };
      found = search;
      const expire = (forMs: number) => () => {
        if (found === search) found = { ...search, untilMs: performance.now() + forMs };
      };
      search.server.then(expire(FOUND_FOR_MS), expire(0));
    }
    return found.server;
  };
}

/** All are asked at once: one that does not answer must not delay the others. */
async function findServer(servers: readonly string[], target: ServerTarget): Promise<string> {
  if (target === "prefer-standby") {
    const standby = await findServer(servers, "standby").catch(() => null);
    return standby ?? findServer(servers, "any");
  }
  try {
    return await Promise.any(servers.map((server) => probe(server, target)));
  } catch (error) {
    const reasons = (error as AggregateError).errors as Error[];
    const message = `no server fits target_session_attrs=${target}: ${reasons.map((reason) => reason.message).join("; ")}`;
    throw new AggregateError(reasons, message, { cause: error });
  }
}

async function probe(server: string, target: ServerTarget): Promise<string> {
  const client = new pg.Client({
    connectionString: server,
    application_name: "parley-probe",
    connectionTimeoutMillis: PROBE_WITHIN_MS,
    query_timeout: PROBE_WITHIN_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    if (target === "any") return server;
    const { rows } = await client.query<{ standby: boolean; read_only: boolean }>(
      "select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::bool as read_only",
    );
    const [{ standby, read_only: readOnly } = { standby: false, read_only: false }] = rows;
    const fits = { "read-write": !readOnly, primary: !standby, "read-only": readOnly, standby };
    if (fits[target as keyof typeof fits]) return server;
    const { hostname, port } = new URL(server);
    throw Object.assign(new Error(`${hostname}:${port || 5432} is ${standby ? "a standby" : "no standby"}`), {
      code: READ_ONLY,
    });
  } finally {
    client.end().catch(() => undefined);
  }
}
