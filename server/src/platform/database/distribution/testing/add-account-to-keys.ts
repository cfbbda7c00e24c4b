import pg from "pg";
import { openDatabase } from "../../database.ts";
import { writeDistributionScript } from "../write-script.ts";

/** Runs the first part of the script on a database that nothing else uses. */
export async function addAccountToKeys(url: string): Promise<void> {
  const db = openDatabase({ url, connectionsMax: 1, applicationName: "parley-test", onIdleError: () => undefined });
  const { keys } = await writeDistributionScript(db);
  await db.destroy();
  // As psql does it: the driver of the service has limits for a statement.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(keys);
  await client.end();
}
