import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { verifyBackup } from "../platform/backup/read-backup.ts";
import { restoreBackup } from "../platform/backup/restore-backup.ts";
import { writeBackup } from "../platform/backup/write-backup.ts";
import { checkInvariants } from "../platform/checks/check-invariants.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { openReceiver } from "./testing/open-receiver.ts";
import { openDeliverScene, readDeliveries, setWebhookScene } from "./testing/webhook-scene.ts";

let source: TestDatabase;
let target: TestDatabase;
let folder: string;

beforeAll(async () => {
  source = await createTestDatabase(inject("postgresUrl"));
  target = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-webhook-backup-"));
});
afterAll(async () => {
  await source.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

test("a backup restores delivered and pending events, each once, and pending ones are then sent", async () => {
  const receiver = await openReceiver();
  const before = openDeliverScene(source.db);
  const account = await setWebhookScene(source.db);
  const { id, secret } = await account.addEndpoint(receiver.url);
  await account.report();
  await before.deliver();
  await before.pass(1000);
  const waiting = await account.report();
  const file = join(folder, "backup.gz");
  await writeBackup({
    databaseUrl: source.url,
    file,
    force: false,
    parleyVersion: "1.2.3",
    secret: null,
    secretFingerprint: "abc",
    onTable: () => undefined,
  });
  expect(gunzipSync(await readFile(file)).includes(secret)).toBe(false);

  const backup = await verifyBackup(file);
  await restoreBackup({ databaseUrl: target.url, file, backup, force: false, onTable: () => undefined });
  expect(await readDeliveries(target.db, id)).toEqual(await readDeliveries(source.db, id));
  expect((await checkInvariants(target.db)).results.flatMap(({ violations }) => violations)).toEqual([]);
  const after = openDeliverScene(target.db);
  await after.deliver();
  expect(receiver.ids().at(-1)).toBe(waiting);
  expect(receiver.received).toHaveLength(2);
  await before.stop();
  await after.stop();
  await receiver.close();
});
