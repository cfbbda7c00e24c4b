import { readFileSync } from "node:fs";
import { join } from "node:path";
import { query } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { afterAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, completeCall } from "../harness/calls.ts";
import { makeFolderOfPostgres, type OwnPostgres, startOwnPostgres, startRecovery } from "../harness/own-postgres.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";

const PASSWORD = "the-password-of-parley";

let scene: Scene;
afterAll(() => scene?.close());

/** The configuration that is shipped, with the folder of this test. */
const readShipped = (name: string) =>
  readFileSync(join(REPOSITORY, "deploy/postgresql", name), "utf8").replaceAll(
    "/backups",
    join(scene.folder, "backups"),
  );
const settingsFor = ({ port }: OwnPostgres) => ({
  DATABASE_URL: `postgresql://parley:${PASSWORD}@127.0.0.1:${port}/parley`,
});
const idsOf = async ({ url, key }: Caller) =>
  (await ask(url, "/api/v1/calls", { key })).body.data.map(({ id }: { id: string }) => id).toSorted();

test("with archived WAL an installation is restored to the moment before an accident", async () => {
  scene = await Scene.open("none");
  makeFolderOfPostgres(join(scene.folder, "backups"));
  makeFolderOfPostgres(join(scene.folder, "backups/wal"));
  const postgres = await startOwnPostgres(scene.folder, readShipped("archive.conf"));
  await postgres.administer(`create role parley login password '${PASSWORD}'`, "create database parley owner parley");
  const service = await scene.start({ env: settingsFor(postgres) });
  const caller = { url: service.url, ...(await readFirstRun(service)) };
  const kept = [await completeCall(caller)];
  await postgres.copyTo(join(scene.folder, "copy"));
  // After the copy, so that it comes back from the archive alone.
  kept.push(await completeCall(caller));
  await service.end();
  const [moment] = await postgres.administer("select clock_timestamp()::text as at");
  await query(settingsFor(postgres).DATABASE_URL, "drop schema public cascade");
  const [switched] = await postgres.administer("select pg_walfile_name(pg_switch_wal()) as file");
  await until(
    () => postgres.administer("select last_archived_wal as file from pg_stat_archiver"),
    ([row]) => String(row?.["file"] ?? "") >= String(switched?.["file"]),
    60_000,
  );

  const recovery = readShipped("recover.conf").replace("2026-01-31 14:59:00+00", String(moment?.["at"]));
  const restored = await startRecovery(join(scene.folder, "copy"), recovery);
  await until(
    () => restored.administer("select pg_is_in_recovery() as recovering"),
    ([row]) => row?.["recovering"] === false,
    60_000,
  );
  const again = await scene.start({ env: settingsFor(restored) });
  expect(await idsOf({ ...caller, url: again.url })).toEqual(kept.toSorted());
  await completeCall({ ...caller, url: again.url });
  // It checks the database too.
  expect(await again.end()).toEqual({ code: 0, signal: null });
});
