import { startEmbeddedPostgres } from "../start-embedded-postgres.ts";

/**
 * A process that uses the embedded PostgreSQL, for tests that need a second one: prints its address, stops when its
 * standard input ends, and then exits on its own because nothing is left open.
 */
const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("usage: hold-embedded-postgres.ts DATA_DIR");

const say = (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
const postgres = await startEmbeddedPostgres({ dataDir, log: { info: say, warn: say, error: say } });
process.stdout.write(`${postgres.url}\n`);
process.stdin.resume();
process.stdin.once("end", () => {
  void postgres.stop();
});
