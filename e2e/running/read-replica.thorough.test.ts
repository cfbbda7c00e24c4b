import { join } from "node:path";
import { query } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, completeCall } from "../harness/calls.ts";
import { type OwnPostgres, startOwnPostgres, startStandby } from "../harness/own-postgres.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const PASSWORD = "the-password-of-parley";
/** Long enough to look at the replica while it stands still, on a busy machine too. */
const LAG_SECONDS = 40;
const USED = "reading from the replica";
const NOT_USED = "not reading from it";

let scene: Scene;
let primary: OwnPostgres;
let standby: OwnPostgres;
let service: ServiceProcess;
let caller: Caller;

const urlOf = ({ port }: OwnPostgres) => `postgresql://parley:${PASSWORD}@127.0.0.1:${port}/parley`;

beforeAll(async () => {
  scene = await Scene.open("none");
  primary = await startOwnPostgres(scene.folder);
  await primary.administer(`create role parley login password '${PASSWORD}'`, "create database parley owner parley");
  await primary.copyTo(join(scene.folder, "standby"));
  standby = await startStandby(join(scene.folder, "standby"), primary);
  service = await scene.start({
    env: {
      DATABASE_URL: urlOf(primary),
      DATABASE_REPLICA_URL: urlOf(standby),
      PARLEY_REPLICA_LAG_SECONDS: String(LAG_SECONDS),
    },
  });
  caller = { url: service.url, ...(await readFirstRun(service)) };
}, 180_000);
afterAll(() => scene?.close());

const logged = (message: string) => service.output().split(message).length - 1;

async function get(path: string) {
  const reply = await ask(service.url, path, { key: caller.key });
  expect(reply.status).toBe(200);
  return reply.body;
}

/** What is read of the first call, whose metadata are about to change: on a later page, in the export, and how many calls count. */
async function readLater(cursor: string) {
  const page = await get(`/api/v1/calls?limit=1&cursor=${encodeURIComponent(cursor)}`);
  const csv = await fetch(`${service.url}/api/v1/calls.csv`, { headers: { authorization: `Bearer ${caller.key}` } });
  return {
    pageTwo: page.data[0].metadata.marked ?? "no",
    exported: (await csv.text()).includes("marked-now") ? "marked-now" : "no",
    counted: (await get("/api/v1/usage")).data.total.calls as number,
  };
}

test("later pages, exports and usage are read from a standby, and from the database while the standby stands still", async () => {
  const first = await completeCall(caller);
  await completeCall(caller);
  const pageOne = await get("/api/v1/calls?limit=1");
  await until(
    async () => logged(USED),
    (times) => times === 1,
    60_000,
  );
  const caughtUp = await until(
    () => readLater(pageOne.nextCursor),
    ({ counted }) => counted === 2,
    30_000,
  );
  expect(caughtUp).toEqual({ pageTwo: "no", exported: "no", counted: 2 });

  await standby.administer("select pg_wal_replay_pause()");
  await until(
    () => standby.administer("select pg_get_wal_replay_pause_state() as state"),
    ([row]) => row?.["state"] === "paused",
    30_000,
  );
  await query(urlOf(primary), `update calls set metadata = '{"marked": "marked-now"}' where id = '${first}'`);
  const third = await completeCall(caller);
  // The first page is never old.
  expect((await get("/api/v1/calls?limit=1")).data[0].id).toBe(third);
  expect(await readLater(pageOne.nextCursor)).toEqual({ pageTwo: "no", exported: "no", counted: 2 });

  // Once it is older than allowed, nothing is read from it.
  await until(
    async () => logged(NOT_USED),
    (times) => times === 1,
    (LAG_SECONDS + 60) * 1000,
  );
  const fromPrimary = { pageTwo: "marked-now", exported: "marked-now", counted: 3 };
  expect(await readLater(pageOne.nextCursor)).toEqual(fromPrimary);

  await standby.administer("select pg_wal_replay_resume()");
  await until(
    async () => logged(USED),
    (times) => times === 2,
    60_000,
  );
  expect(await readLater(pageOne.nextCursor)).toEqual(fromPrimary);
}, 300_000);
