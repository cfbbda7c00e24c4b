import { once } from "node:events";
import { chownSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runOnce } from "../http/idempotency.ts";
import { type Database, inTransaction, openDatabase, run, type Tx } from "./database.ts";
import { EmbeddedScene } from "./embedded/testing/embedded-scene.ts";
import { CommitOutcomeUnknown, DatabaseAway } from "./failures.ts";
import { migrate } from "./migrate.ts";

// Its own database, because it is killed.
const scene = new EmbeddedScene();
let url: string;
let direct: Database;

const open = (address: string, connectionsMax: number) =>
  openDatabase({ url: address, connectionsMax, applicationName: "killed", onIdleError: () => undefined });

beforeAll(async () => {
  ({ url } = await scene.start());
  await migrate(url);
  direct = open(url, 2);
  // Uncommitted data stays in memory longer, so that the kill loses it, and no one else takes transaction ids.
  await run(direct, "alter system set wal_writer_delay = '10s'");
  await run(direct, "alter system set autovacuum = off");
  await run(direct, "select pg_reload_conf()");
  await run(direct, "create table notes (text text)");
  await run(direct, "insert into accounts (id, name) values ('acc_lost', 'Lost')");
});
afterAll(async () => {
  await direct?.destroy();
  await scene.close();
});

/** A way to the database that swallows the first commit, kills the database, and breaks only after `meanwhile`. */
async function killAtCommit(meanwhile: () => Promise<void>) {
  const { port, hostname } = new URL(url);
  let armed = true;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    let isHeld = false;
    far.on("data", (bytes) => {
      if (!isHeld) near.write(bytes);
    });
    far.on("error", () => undefined);
    far.on("close", () => {
      if (!isHeld) near.destroy();
    });
    near.on("error", () => undefined);
    near.on("close", () => far.destroy());
    near.on("data", (bytes) => {
      if (!armed || !bytes.includes("commit")) {
        far.write(bytes);
        return;
      }
      armed = false;
      isHeld = true;
      void killDatabase()
        .then(meanwhile)
        .finally(() => near.destroy());
    });
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const address = relay.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const through = new URL(url);
  through.port = String(address.port);
  // One connection: asking for the outcome must not need a second while the first is still taken.
  const db = open(through.href, 1);
  return {
    db,
    async close() {
      await db.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}

async function killDatabase(): Promise<void> {
  const pid = scene.postmasterPid();
  if (pid === undefined) throw new Error("there is no database to kill");
  process.kill(pid, "SIGKILL");
  const isBack = async () => {
    // The old processes keep answering for a moment; the new server starts only when they are gone.
    expect(scene.postmasterPid()).toSatisfy((now) => now !== undefined && now !== pid);
    await run(direct, "select 1");
  };
  await vi.waitFor(isBack, { timeout: 20_000, interval: 20 });
}

/** Has the server start as a standby when it is killed: it then lacks what had not reached the disk, as one that takes over does. */
function becomeStandby(): void {
  const signal = join(scene.cluster, "standby.signal");
  const { uid, gid } = statSync(scene.cluster);
  writeFileSync(signal, "");
  chownSync(signal, uid, gid);
}

/** Commits other transactions until the number has been handed out again. */
async function useUp(transactionId: bigint): Promise<void> {
  for (;;) {
    const [row] = await run<{ id: bigint }>(direct, "select pg_current_xact_id()::text::bigint as id");
    if (row && row.id >= transactionId) return;
  }
}

const note = async (tx: Tx, text: string): Promise<bigint> => {
  await run(tx, "insert into notes values ($1)", [text]);
  const [row] = await run<{ id: bigint }>(tx, "select pg_current_xact_id()::text::bigint as id");
  return row?.id ?? 0n;
};
const count = async (text: string) => (await run(direct, "select 1 from notes where text = $1", [text])).length;

/** Which of the two depends on whether the number itself was on the disk already. */
const isHonest = (error: unknown) => error instanceof CommitOutcomeUnknown || error instanceof DatabaseAway;

test("a commit that a crash swallowed is reported as not done", async () => {
  const way = await killAtCommit(async () => undefined);
  await expect(inTransaction(way.db, (tx) => note(tx, "swallowed"))).rejects.toBeInstanceOf(DatabaseAway);
  expect(await count("swallowed")).toBe(0);
  await way.close();
});

test("a commit that a crash swallowed is not taken for another that got its number afterwards", async () => {
  let id = 0n;
  const way = await killAtCommit(() => useUp(id));
  const lost = inTransaction(way.db, async (tx) => {
    id = await note(tx, "mistaken");
  });
  await expect(lost).rejects.toSatisfy(isHonest);
  expect(await count("mistaken")).toBe(0);
  await way.close();
});

test("a request with a key determines the outcome automatically, and its effect happens once", async () => {
  let id = 0n;
  const way = await killAtCommit(() => useUp(id));
  const scope = { accountId: "acc_lost", mode: "test", method: "POST", path: "/", key: "k", askedBy: "key" } as const;
  const effect = async (tx: Tx) => {
    id = await note(tx, "keyed");
    return { data: "done" };
  };
  expect(await runOnce(way.db, scope, {}, effect)).toMatchObject({ data: "done" });
  expect(await count("keyed")).toBe(1);
  await way.close();
});

test("a commit that was lost with its server is not taken for another of the server that took over", async () => {
  let id = 0n;
  const way = await killAtCommit(async () => {
    expect(await run(direct, "select pg_is_in_recovery() as standby, pg_promote() as promoted")).toEqual([
      { standby: true, promoted: true },
    ]);
    await useUp(id);
    await run(direct, "checkpoint");
  });
  const lost = inTransaction(way.db, async (tx) => {
    id = await note(tx, "of the old server");
    becomeStandby();
  });
  await expect(lost).rejects.toSatisfy(isHonest);
  expect(await count("of the old server")).toBe(0);
  await way.close();
});
