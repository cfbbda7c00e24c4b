import { createServer } from "node:net";
import { expect, inject, test } from "vitest";
import { openDatabase, run } from "../database.ts";
import { isDatabaseAway } from "../failures.ts";
import { createClient } from "./connect.ts";
import { isSessionShared } from "./detect-pooler.ts";

/** The URL of the tests' server, with others before it: one that refuses, and one that accepts and never answers. */
async function listServers(target: string, work: (url: string) => Promise<void>): Promise<void> {
  const deaf = createServer((socket) => socket.on("error", () => undefined).resume());
  await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
  const { port } = deaf.address() as { port: number };
  const { username, password, host, pathname } = new URL(inject("postgresUrl"));
  try {
    await work(
      `postgresql://${username}:${password}@127.0.0.1:1,127.0.0.1:${port},${host}${pathname}?target_session_attrs=${target}`,
    );
  } finally {
    await new Promise((resolve) => deaf.close(resolve));
  }
}

test("of several servers the one that takes writes is used, however the others fail", () =>
  listServers("read-write", async (url) => {
    const db = openDatabase({ url, connectionsMax: 2, applicationName: "test", onIdleError: () => undefined });
    expect(await run(db, "select 1 as one")).toEqual([{ one: 1 }]);
    await db.destroy();
    const client = createClient(url, {});
    await client.connect();
    expect((await client.query("select 2 as two")).rows).toEqual([{ two: 2 }]);
    await client.end();
  }));

test("while no server fits, the database counts as away", () =>
  listServers("standby", async (url) => {
    const error = await createClient(url, {})
      .connect()
      .catch((reason: unknown) => reason);
    expect(isDatabaseAway(error)).toBe(true);
    expect(String(error)).toContain("is no standby");
  }));

test("PostgreSQL itself is not taken for a pooler", async () => {
  const open = async () => {
    const client = createClient(inject("postgresUrl"), {});
    await client.connect();
    return client;
  };
  const client = await open();
  expect(await isSessionShared(client, open)).toBe(false);
  await client.end();
});
