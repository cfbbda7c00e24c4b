import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { NewTrunk } from "@parley/contract/trunks";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { verifyBackup } from "../../platform/backup/read-backup.ts";
import { restoreBackup } from "../../platform/backup/restore-backup.ts";
import { writeBackup } from "../../platform/backup/write-backup.ts";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { inTransaction } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { noteAttempt } from "./attempt-note-store.ts";
import { createTrunk } from "./change-trunk.ts";
import { readTrunk } from "./read-trunks.ts";
import { takeTrunkSlot } from "./slot-store.ts";
import { openTrunkDirectory } from "./trunk-directory.ts";
import { createTrunkRoute } from "./trunk-routes.ts";

const secrets = deriveSecrets("a secret of the tests that is long enough");
const by = { accountId: null, actor: "operator" };
let source: TestDatabase;
let target: TestDatabase;
let folder: string;

beforeAll(async () => {
  source = await createTestDatabase(inject("postgresUrl"));
  target = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-trunk-backup-"));
});
afterAll(async () => {
  await source.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

test("a backup restores trunks with their routes, counts and passwords, which are encrypted in it", async () => {
  const input = { name: "One", host: "sip.example.com", username: "u", password: "hunter2", channelsMax: 1 };
  const id = await createTrunk(source.db, secrets, NewTrunk.parse(input), by);
  await createTrunkRoute(source.db, { prefix: "49", trunkId: id, priority: 1, weight: 2 }, by);
  await noteAttempt(source.db, { trunkId: id, callerId: "+4930100", rang: true, answered: true });
  await inTransaction(source.db, (tx) => takeTrunkSlot(tx, id));
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
  const bytes = gunzipSync(await readFile(file));
  expect(bytes.includes("sip.example.com")).toBe(true);
  expect([bytes.includes("hunter2"), bytes.includes(Buffer.from("hunter2").toString("hex"))]).toEqual([false, false]);

  const backup = await verifyBackup(file);
  await restoreBackup({ databaseUrl: target.url, file, backup, force: false, onTable: () => undefined });
  expect(await readTrunk(target.db, id)).toEqual(await readTrunk(source.db, id));
  const listener = { on: () => () => undefined, onReconnect: () => () => undefined };
  const log = { warn: () => undefined, error: () => undefined };
  const directory = await openTrunkDirectory({ db: target.db, listener, secrets, log });
  expect(directory.current()).toMatchObject({
    trunks: [{ id, sip: { credentials: { username: "u", password: "hunter2" } } }],
    routes: [{ prefix: "49", trunkId: id }],
  });
  await directory.close();
  // The call that was on it still counts, so the limit holds until a worker has ended it.
  expect(await inTransaction(target.db, (tx) => takeTrunkSlot(tx, id))).toBe("full");
});
