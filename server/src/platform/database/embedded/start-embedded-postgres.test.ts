import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRoot } from "./choose-identity.ts";
import { EmbeddedScene, query, until } from "./testing/embedded-scene.ts";

describe("starting the embedded PostgreSQL", { timeout: 20_000 }, () => {
  const scene = new EmbeddedScene();

  afterEach(() => scene.rest(), 20_000);
  afterAll(() => scene.close(), 20_000);

  it("serves a new UTF-8 database on loopback, and serves the same rows after a stop and a start", async () => {
    const first = await scene.start();
    await query(first.url, "CREATE TABLE kept AS SELECT 'Zoë' AS name");
    const [settings] = await query(
      first.url,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
         current_setting('fsync') AS fsync, current_setting('max_connections') AS connections,
         current_setting('shared_buffers') AS buffers, current_setting('listen_addresses') AS addresses,
         current_setting('unix_socket_directories') AS sockets, current_database() AS name, upper('é') AS upper`,
    );
    expect(settings).toEqual({
      encoding: "UTF8",
      zone: "UTC",
      fsync: "on",
      connections: "200",
      buffers: "64MB",
      addresses: "127.0.0.1",
      sockets: "",
      name: "parley",
      upper: "É",
    });
    await first.stop();
    expect(scene.postmasterPid()).toBeUndefined();

    const second = await scene.start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "SELECT name FROM kept")).toEqual([{ name: "Zoë" }]);
  });

  it("refuses a wrong password and keeps the right one readable by the service only", async () => {
    const { url } = await scene.start();
    const wrong = new URL(url);
    wrong.password = "guess";
    await expect(query(wrong.href, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
    const file = statSync(join(scene.dataDir, "postgres/database/connection.json"));
    expect(file.mode & 0o777).toBe(0o600);
    expect(file.uid).toBe(process.getuid?.());
    expect(statSync(scene.cluster).uid === 0).toBe(false);
  });

  it("starts although the process number it left behind now belongs to another program, which it leaves alone", async () => {
    const first = await scene.start();
    const pidFile = join(scene.cluster, "postmaster.pid");
    const left = readFileSync(pidFile, "utf8");
    await first.stop();
    writeFileSync(pidFile, left.replace(/^\d+/, String(process.pid)));
    const second = await scene.start();
    expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("moves to another port when its own is taken and no process was given the address yet", async () => {
    const first = await scene.start();
    await first.stop();
    const taken = createServer().listen({ host: "127.0.0.1", port: Number(new URL(first.url).port) });
    try {
      const second = await scene.start();
      expect(second.url).not.toBe(first.url);
      expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    } finally {
      taken.close();
    }
  });

  it("refuses a data folder of another PostgreSQL major version and says which", async () => {
    const first = await scene.start();
    await first.stop();
    writeFileSync(join(scene.cluster, "PG_VERSION"), "15\n");
    await expect(scene.start()).rejects.toThrow(/made by PostgreSQL 15 .* brings PostgreSQL 18/);
  });
});

describe("starting the embedded PostgreSQL for the first time", { timeout: 20_000 }, () => {
  let scene: EmbeddedScene;

  beforeEach(() => {
    scene = new EmbeddedScene();
  });
  afterEach(() => scene.close(), 20_000);

  it("recovers from a first start that was killed half way", async () => {
    const holder = scene.hold();
    const root = join(scene.dataDir, "postgres");
    const unfinished = () =>
      existsSync(root) ? readdirSync(root).filter((name) => name.startsWith("database.initialising-")) : [];
    await until(() => unfinished().some((name) => existsSync(join(root, name, "cluster/global"))));
    await holder.kill();
    expect(existsSync(join(root, "database"))).toBe(false);

    const { url } = await scene.start();
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(unfinished()).toEqual([]);
  });

  it("lets two processes start on an empty folder concurrently", async () => {
    const [one, two] = [scene.hold(), scene.hold()];
    const urls = await Promise.all([one.url, two.url]);
    expect(urls[0]).toBe(urls[1]);
    expect(await one.leave()).toBe(0);
    expect(await query(urls[1], "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await two.leave()).toBe(0);
    expect(scene.postmasterPid()).toBeUndefined();
  });

  it("says what to do when root's data folder is closed to nobody; an ordinary account just uses it", async () => {
    mkdirSync(scene.dataDir);
    chmodSync(scene.folder, 0o700);
    if (isRoot()) {
      await expect(scene.start()).rejects.toThrow(
        new RegExp(`${scene.folder} has mode 0700.*PARLEY_DATA_DIR.*/var/lib/parley`),
      );
      expect(readdirSync(scene.dataDir)).toEqual([]);
    } else {
      const { url } = await scene.start();
      expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    }
  });
});
