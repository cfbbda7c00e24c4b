import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../embedded/start-embedded-postgres.ts";
import { migrate } from "../migrate.ts";
import { describeSchema, generateRowTypes } from "./describe-schema.ts";

const SCHEMA_FILE = new URL("../../../../schema.sql", import.meta.url);
const ROW_TYPES_FILE = new URL("row-types.ts", import.meta.url);

/** `npm run schema`: regenerates server/schema.sql and the row types from the migrations. */
const dataDir = await mkdtemp(join(tmpdir(), "parley-schema-"));
// As root the server runs as `nobody`, who must be able to pass through the folder that mkdtemp closed to others.
await chmod(dataDir, 0o711);
const silent = { info: () => undefined, warn: () => undefined, error: console.error };
const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
try {
  await migrate(postgres.url);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await writeFile(SCHEMA_FILE, await describeSchema(client));
  await client.end();
  await writeFile(ROW_TYPES_FILE, await generateRowTypes(postgres.url));
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
