import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { commitOne, type Database, inTransaction, openDatabase, run } from "./database.ts";
import { CommitOutcomeUnknown, DatabaseAway, isDatabaseAway } from "./failures.ts";
import { createPgDriver } from "./pg-driver.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await run(t.db, "create table notes (text text primary key)");
});
afterAll(() => t.close());

test("a column that a newer release adds fails no statement and no transaction of this one", async () => {
  const db = openDatabase({ url: t.url, connectionsMax: 3, applicationName: "older", onIdleError: () => undefined });
  const read = (on: typeof db) => run(on, "/* read_notes */ select * from notes");
  const readInTransaction = () => inTransaction(db, read);
  try {
    // Each connection has prepared it.
    await Promise.all(Array.from({ length: 9 }, () => readInTransaction()));
    await run(t.db, "alter table notes add column first int");
    await Promise.all(Array.from({ length: 9 }, () => read(db)));
    await Promise.all(Array.from({ length: 9 }, () => readInTransaction()));
    await run(t.db, "alter table notes add column second int");
    await Promise.all(Array.from({ length: 9 }, (_, turn) => (turn % 2 ? read(db) : readInTransaction())));
  } finally {
    await run(t.db, "alter table notes drop column first, drop column second");
    await db.destroy();
  }
});

/** A relay to the database that breaks the connection on which a commit is sent: before it arrives, or after. */
async function breakCommits(when: "before" | "after") {
  const { hostname, port } = new URL(t.url);
  let armed = true;
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    let isCut = false;
    near.on("data", (bytes) => {
      const isCommit = armed && bytes.includes("commit");
      if (isCommit) armed = false;
      if (isCommit && when === "before") {
        near.destroy();
        far.destroy();
        return;
      }
      far.write(bytes);
      // Nothing of the reply to this commit reaches the client, which is cut off when the commit is done.
      isCut = isCommit;
    });
    far.on("data", (bytes) => {
      if (!isCut) near.write(bytes);
      else if (bytes.includes("COMMIT")) near.destroy();
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = new URL(t.url);
  url.port = String(address.port);
  const db = openDatabase({ url: url.href, connectionsMax: 2, applicationName: "relay", onIdleError: () => undefined });
  return {
    db,
    /** Blocks all connections from now on. */
    cut() {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      await db.destroy();
      for (const socket of sockets) socket.destroy();
      if (!relay.listening) return;
      relay.close();
      await once(relay, "close");
    },
  };
}

test("a commit whose reply was lost is recognised as done, so the caller is not asked to retry", async () => {
  // Within the second of a checkpoint it is not known whose transaction a number was, and the commit is reported as unknown.
  const isLater =
    "select checkpoint_time < date_trunc('second', clock_timestamp()) as later from pg_control_checkpoint()";
  await expect.poll(() => run(t.db, isLater)).toEqual([{ later: true }]);
  const relay = await breakCommits("after");
  await expect(inTransaction(relay.db, (tx) => run(tx, "insert into notes values ('kept')"))).resolves.toEqual([]);
  expect(await run(t.db, "select text from notes where text = 'kept'")).toHaveLength(1);
  await relay.close();
});

test("a commit that never arrived is reported as not done", async () => {
  const relay = await breakCommits("before");
  await expect(inTransaction(relay.db, (tx) => run(tx, "insert into notes values ('lost')"))).rejects.toBeInstanceOf(
    DatabaseAway,
  );
  expect(await run(t.db, "select text from notes where text = 'lost'")).toHaveLength(0);
  await relay.close();
});

test("a failed statement undoes the whole transaction and leaves the connection usable", async () => {
  await expect(
    inTransaction(t.db, async (tx) => {
      await run(tx, "insert into notes values ('half')");
      await run(tx, "insert into notes values ('half')");
    }),
  ).rejects.toThrow("duplicate key");
  expect(await run(t.db, "select text from notes where text = 'half'")).toHaveLength(0);
});

test("a process suspended in a transaction keeps its locks for as long as a lease and no longer", async () => {
  await expect(run(t.db, "show idle_in_transaction_session_timeout")).resolves.toEqual([
    { idle_in_transaction_session_timeout: "10s" },
  ]);
  const stalled = inTransaction(t.db, async (tx) => {
    await run(tx, "set local idle_in_transaction_session_timeout = 50");
    await run(tx, "insert into notes values ('stalled')");
    // The lock is free for others before the process moves again.
    await run(t.db, "insert into notes values ('stalled')");
    await run(tx, "select 1");
  });
  await expect(stalled).rejects.toSatisfy(isDatabaseAway);
  expect(await run(t.db, "select text from notes where text = 'stalled'")).toHaveLength(1);
});

/** A relay to the database that can fall silent: data sent then is lost without an error. */
async function openSilentRelay() {
  const { hostname, port } = new URL(t.url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    const pairs = [
      [near, far],
      [far, near],
    ] as const;
    for (const [from, to] of pairs) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
      from.on("data", (bytes) => {
        if (!isSilent) to.write(bytes);
      });
    }
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = new URL(t.url);
  url.port = String(address.port);
  const options = { connectionsMax: 2, answerWithinMs: 300, applicationName: "relay", onIdleError: () => undefined };
  return {
    db: openDatabase({ url: url.href, ...options }),
    setSilent: (silent: boolean) => {
      isSilent = silent;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}

test("a database whose machine vanished counts as unavailable, and its connections are closed", async () => {
  const relay = await openSilentRelay();
  await run(relay.db, "select 1");
  relay.setSilent(true);
  const outcomes = await Promise.allSettled([
    run(relay.db, "select 1"),
    inTransaction(relay.db, (tx) => run(tx, "select 1")),
    inTransaction(relay.db, (tx) => run(tx, "select 1")),
  ]);
  expect(outcomes.map((each) => each.status === "rejected" && isDatabaseAway(each.reason))).toEqual([true, true, true]);
  relay.setSilent(false);
  // Both places in the pool can be used again, at the same time.
  const back = () => run<{ up: number }>(relay.db, "select 1 as up");
  expect(await Promise.all([back(), back(), inTransaction(relay.db, (tx) => run(tx, "select 1 as up"))])).toEqual(
    Array.from({ length: 3 }, () => [{ up: 1 }]),
  );
  await relay.close();
  await relay.db.destroy();
});

test("a connection that died before its commit was sent has committed nothing, without a check", async () => {
  const relay = await breakCommits("before");
  try {
    const writing = inTransaction(relay.db, async (tx) => {
      await run(tx, "insert into notes values ('never sent')");
      relay.cut();
      await run(tx, "select 1").catch(() => undefined);
    });
    await expect(writing).rejects.toThrow(DatabaseAway);
    expect(await run(t.db, "select 1 from notes where text = 'never sent'")).toEqual([]);
  } finally {
    await relay.close();
  }
});

/** A relay that holds back the replies to a transaction until something was sent that contains this. */
async function openHoldingRelay(last: string) {
  const { hostname, port } = new URL(t.url);
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    let held: Buffer[] | null = null;
    near.on("data", (bytes) => {
      if (bytes.includes("begin")) held = [];
      far.write(bytes);
      if (!bytes.includes(last)) return;
      for (const reply of held ?? []) near.write(reply);
      held = null;
    });
    far.on("data", (bytes: Buffer) => void (held ? held.push(bytes) : near.write(bytes)));
    near.on("close", () => far.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const url = new URL(t.url);
  url.port = String((relay.address() as AddressInfo).port);
  const db = openDatabase({ url: url.href, connectionsMax: 1, applicationName: "relay", onIdleError: () => undefined });
  return {
    db,
    async close() {
      await db.destroy();
      relay.close();
    },
  };
}

test("a transaction sends its first statements without waiting for its beginning, and executes them in order", async () => {
  const { db, close } = await openHoldingRelay("read_last");
  const insert = (tx: Database) => run(tx, "insert into notes values ('at once') returning text");
  const readLast = (tx: Database) => run(tx, "/* read_last */ select text from notes where text = 'at once'");
  const replies = await inTransaction(db, (tx) => Promise.all([insert(tx), readLast(tx)]));
  expect(replies).toEqual([[{ text: "at once" }], [{ text: "at once" }]]);
  await close();
});

describe("a transaction of one statement", () => {
  const insert = (db: Database, text: string) =>
    commitOne<{ text: string }>(db, "insert into notes values ($1) returning text", [text]);
  const isStored = async (text: string) =>
    (await run(t.db, "select 1 from notes where text = $1", [text])).length === 1;

  test("is sent with its commit, without waiting for a reply", async () => {
    const { db, close } = await openHoldingRelay("commit");
    expect(await insert(db, "in one packet")).toEqual([{ text: "in one packet" }]);
    expect(await isStored("in one packet")).toBe(true);
    await close();
  });

  test("that fails says why, has no effect, and leaves the connection usable", async () => {
    const db = openDatabase({ url: t.url, connectionsMax: 1, applicationName: "one", onIdleError: () => undefined });
    await insert(db, "taken");
    await expect(insert(db, "taken")).rejects.toThrow("duplicate key");
    expect(await insert(db, "free")).toEqual([{ text: "free" }]);
    expect(await inTransaction(db, (tx) => run(tx, "select 1 as up"))).toEqual([{ up: 1 }]);
    await db.destroy();
  });

  test("notifies of what its rows say, once it is committed", async () => {
    const asked: unknown[] = [];
    await commitOne(t.db, "select 1 as one", [], (_tx, rows) => asked.push(rows));
    expect(asked).toEqual([[{ one: 1 }]]);
  });

  test("joins a transaction that is under way, which is not committed by it", async () => {
    const failing = inTransaction(t.db, async (tx) => {
      await insert(tx, "joined");
      throw new Error("later");
    });
    await expect(failing).rejects.toThrow("later");
    expect(await isStored("joined")).toBe(false);
  });

  test.each(["before", "after"] as const)(
    "whose connection is lost %s it arrived is never taken for not done",
    async (when) => {
      const relay = await breakCommits(when);
      await expect(insert(relay.db, `lost ${when}`)).rejects.toBeInstanceOf(CommitOutcomeUnknown);
      expect(await isStored(`lost ${when}`)).toBe(when === "after");
      await relay.close();
    },
  );

  test("whose connection was dead before it was sent was not done", async () => {
    const relay = await breakCommits("before");
    await run(relay.db, "select 1");
    const dying = relay.db.connection().execute(async (connection) => {
      relay.cut();
      await run(connection, "select 1").catch(() => undefined);
      await insert(connection, "never sent");
    });
    await expect(dying).rejects.toSatisfy((error) => isDatabaseAway(error));
    expect(await isStored("never sent")).toBe(false);
    await relay.close();
  });
});

test("a transaction that could not begin fails with the reason, and none of its statements has an effect", async () => {
  const pool = new pg.Pool({ connectionString: t.url, pipeline: true });
  const driver = createPgDriver(pool, { limits: { no_such_setting: 1 } });
  const connection = await driver.acquireConnection();
  await driver.beginTransaction(connection, {});
  const insert = CompiledQuery.raw("insert into notes values ('without a transaction')");
  await expect(connection.executeQuery(insert)).rejects.toThrow("no_such_setting");
  await expect(driver.commitTransaction(connection)).rejects.toThrow("no_such_setting");
  await driver.rollbackTransaction(connection);
  await driver.releaseConnection(connection);
  expect(await run(t.db, "select text from notes where text = 'without a transaction'")).toHaveLength(0);
  await driver.destroy();
});
