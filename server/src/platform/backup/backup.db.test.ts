import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { checkInvariants } from "../checks/check-invariants.ts";
import { seedCalls } from "../checks/testing/seed-calls.ts";
import { inTransaction, run } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { readMigrations } from "../database/migrations.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { BackupError } from "./backup-format.ts";
import { beginSnapshot } from "./backup-store.ts";
import { verifyBackup } from "./read-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

// Everything that COPY has to escape, and what people really write.
const AWKWARD =
  "tab\there, line\nbreak, \\backslash\\N and \\., quote \" ' , Ünïcödé 電話 🙂, \u0001, \u2028, trailing \\";

let source: TestDatabase;
let folder: string;
let file: string;

beforeAll(async () => {
  source = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-backup-"));
  file = join(folder, "backup.gz");
  const { scene } = await seedCalls(source.db);
  await inTransaction(source.db, async (tx) => {
    await run(tx, "update accounts set name = $1 where id = $2", [AWKWARD, scene.accountId]);
    await run(tx, "insert into members (id, account_id, email, role) values ('mem_1', $1, null, 'owner')", [
      scene.accountId,
    ]);
    await run(
      tx,
      "insert into links (id, kind, member_id, token_digest, expires_at) values ('lnk_1', 'claim', 'mem_1', $1, 'infinity')",
      [Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    );
    await run(
      tx,
      `insert into api_keys (id, account_id, mode, name, prefix, last_four, digest, scopes, allowed_ips)
       values ('key_1', $1, 'live', '', '', '', $2, $3, '{}')`,
      [scene.accountId, Buffer.alloc(0), ["", "NULL", 'a"b', "c,d", "{e}", AWKWARD]],
    );
    await run(
      tx,
      "insert into audit_log (id, account_id, actor, action, data) values ('aud_1', null, 'service', 'x.y', $1)",
      [JSON.stringify({ text: AWKWARD, nested: [1.5, null, { deep: "\\" }], big: "x".repeat(600_000) })],
    );
    await run(
      tx,
      "insert into suppressions (account_id, phone_number, reason) select $1, '+1555' || n, 'line ' || n || chr(10) from generate_series(1, 5000) n",
      [scene.accountId],
    );
    await run(tx, "update rates set per_minute_micros = 12345 where prefix = '+'");
    await run(tx, "insert into rate_windows values ('bucket', 1, 1, 1)");
  });
  await backUp(source, file);
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

function backUp(from: TestDatabase, to: string, force = false) {
  return writeBackup({
    databaseUrl: from.url,
    file: to,
    force,
    parleyVersion: "1.2.3",
    secret: "the secret",
    secretFingerprint: "abc",
    onTable: () => undefined,
  });
}

async function restore(into: TestDatabase, from: string, force = false) {
  const backup = await verifyBackup(from);
  return restoreBackup({ databaseUrl: into.url, file: from, backup, force, onTable: () => undefined });
}

const unzipped = async (path: string) => gunzipSync(await readFile(path)).toString("utf8");
/** All but the header, whose time differs, and the digest over it. */
const rowsOf = async (path: string) => (await unzipped(path)).split("\n").slice(1, -2).join("\n");

describe("a backup", () => {
  test("is restored byte for byte in an empty database, and its invariants hold", async () => {
    const target = await createTestDatabase(inject("postgresUrl"));
    try {
      const { rows, unfinished } = await restore(target, file);
      expect(rows).toBeGreaterThan(5000);
      expect(unfinished).toEqual({ dialed: 3, waiting: 2 });
      const again = join(folder, "again.gz");
      await backUp(target, again, true);
      expect(await rowsOf(again)).toBe(await rowsOf(file));
      const { header } = await verifyBackup(file);
      expect((await checkInvariants(target.db, new Date(header.createdAt))).ok).toBe(true);
      const [account] = await run<{ name: string }>(target.db, "select name from accounts");
      expect(account?.name).toBe(AWKWARD);
    } finally {
      await target.close();
    }
  });

  test("holds every table that survives a crash, and the secret", async () => {
    const names = await run<{ name: string }>(
      source.db,
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1",
    );
    const expected = names
      .map(({ name }) => name)
      .filter((name) => !["rate_windows", "parley_migrations"].includes(name));
    const { header, secret, tables } = await verifyBackup(file);
    expect(tables.map(({ name }) => name).sort()).toEqual(expected);
    expect(secret).toBe("the secret");
    expect(header).toMatchObject({ format: "parley-backup", formatVersion: 1, parleyVersion: "1.2.3" });
    expect(header.migrations).toContain("0001_accounts.sql");
  });

  test("can be read only by its owner, and leaves no partial files beside it", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(stat(`${file}.partial`)).rejects.toThrow("ENOENT");
  });

  test("never replaces a file unless requested", async () => {
    const before = await readFile(file);
    await expect(backUp(source, file)).rejects.toThrow("exists");
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  test("shows one moment, however much is written meanwhile", async () => {
    const busy = await createTestDatabase(inject("postgresUrl"));
    try {
      let isDone = false;
      const seed = async () => {
        while (!isDone) await seedCalls(busy.db);
      };
      const takeThree = async () => {
        try {
          for (let i = 0; i < 3; i += 1) await backUp(busy, join(folder, `busy-${i}.gz`));
        } finally {
          isDone = true;
        }
      };
      await Promise.all([seed(), takeThree()]);
      const target = await createTestDatabase(inject("postgresUrl"));
      try {
        for (let i = 0; i < 3; i += 1) {
          const path = join(folder, `busy-${i}.gz`);
          await restore(target, path, true);
          const { header } = await verifyBackup(path);
          const report = await checkInvariants(target.db, new Date(header.createdAt));
          expect(report.results.flatMap(({ violations }) => violations)).toEqual([]);
        }
      } finally {
        await target.close();
      }
    } finally {
      await busy.close();
    }
  });

  test("keeps the months that it has not read yet from being dropped", async () => {
    const client = new pg.Client({ connectionString: source.url });
    await client.connect();
    try {
      await beginSnapshot(client);
      const drop = inTransaction(source.db, async (tx) => {
        await run(tx, "set local lock_timeout = 100");
        await run(tx, "alter table transcript_items detach partition transcript_items_first");
      });
      await expect(drop).rejects.toThrow("lock timeout");
    } finally {
      await client.end();
    }
  });

  test("needs no sequence, because it carries none", async () => {
    expect(
      await run(
        source.db,
        "select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace",
      ),
    ).toEqual([]);
  });
});

describe("a restore", () => {
  let target: TestDatabase;
  let before: string;
  const altered = () => join(folder, "altered.gz");
  const state = async () => {
    await backUp(target, join(folder, "state.gz"), true);
    return rowsOf(join(folder, "state.gz"));
  };

  beforeAll(async () => {
    target = await createTestDatabase(inject("postgresUrl"));
    await seedCalls(target.db);
  });
  afterAll(() => target.close());
  beforeEach(async () => {
    before = await state();
  });

  const alter = async (change: (text: string) => string) =>
    writeFile(altered(), gzipSync(change(await unzipped(file))));

  /** The same with a digest that fits, as only this program would write it. */
  const alterAndSeal = (change: (text: string) => string) =>
    alter((text) => {
      const end = text.lastIndexOf("\n", text.length - 2) + 1;
      const body = change(text.slice(0, end));
      const { tables } = JSON.parse(text.slice(end)) as { tables: number };
      return `${body}${JSON.stringify({ tables, sha256: createHash("sha256").update(body).digest("hex") })}\n`;
    });

  test("of a file that is cut off is refused at any length, and changes nothing", async () => {
    const whole = await readFile(file);
    for (const bytes of [0, 1, 10, 1000, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1]) {
      await writeFile(altered(), whole.subarray(0, bytes));
      await expect(restore(target, altered(), true), `${bytes} bytes`).rejects.toBeInstanceOf(BackupError);
    }
    expect(await state()).toBe(before);
  });

  test("of a file in which a single bit was turned is refused", async () => {
    const whole = await readFile(file);
    for (let i = 1; i <= 20; i += 1) {
      const bytes = Buffer.from(whole);
      const at = Math.floor((whole.length * i) / 21);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await writeFile(altered(), bytes);
      await expect(restore(target, altered(), true)).rejects.toBeInstanceOf(BackupError);
    }
    expect(await state()).toBe(before);
  });

  test.each([
    ["whose rows were changed", (text: string) => text.replace("+15555000", "+15559999")],
    ["that lacks a row", (text: string) => text.replace(/\n[^\n]*\+15555000[^\n]*/, "")],
    ["that lacks its last line", (text: string) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)],
    [
      "that goes on after its last line",
      (text: string) => `${text}{"table":"accounts","columns":["id"]}\n\\.\n{"rows":0}\n`,
    ],
    ["that is two", (text: string) => text + text],
    ["of another kind", () => "hello\n"],
    ["that is empty", () => ""],
  ])("of a file %s is refused, and changes nothing", async (_which, change) => {
    await alter(change);
    await expect(restore(target, altered(), true)).rejects.toBeInstanceOf(BackupError);
    expect(await state()).toBe(before);
  });

  test("of a file of a newer format says so", async () => {
    await alter((text) => text.replace('"formatVersion":1', '"formatVersion":2'));
    await expect(restore(target, altered(), true)).rejects.toThrow("has format 2; this release reads 1");
  });

  test("of a file that does not exist, or is not gzip, says so", async () => {
    await expect(verifyBackup(join(folder, "nothing.gz"))).rejects.toThrow("does not exist");
    await writeFile(altered(), "plain text");
    await expect(verifyBackup(altered())).rejects.toThrow("is not a backup");
  });

  test("into a database with accounts is refused unless forced", async () => {
    await expect(restore(target, file)).rejects.toThrow("The database is not empty: it has 1 account.");
    expect(await state()).toBe(before);
  });

  test("while the service runs is refused, even with force", async () => {
    const service = new pg.Client({ connectionString: target.url, application_name: "parley-listen" });
    await service.connect();
    try {
      await expect(restore(target, file, true)).rejects.toThrow("The service is running");
    } finally {
      await service.end();
    }
    expect(await state()).toBe(before);
  });

  test("of another release's backup is refused with what to do", async () => {
    const backup = await verifyBackup(file);
    const withMigrations = (migrations: string[]) =>
      restoreBackup({
        databaseUrl: target.url,
        file,
        backup: { ...backup, header: { ...backup.header, migrations } },
        force: true,
        onTable: () => undefined,
      });
    await expect(withMigrations([...backup.header.migrations, "9999_new.sql"])).rejects.toThrow(
      "newer: it has 9999_new.sql",
    );
    await expect(withMigrations(backup.header.migrations.slice(0, -1))).rejects.toThrow("older: it lacks");
    // From before migrations were renumbered: neither newer nor incomplete.
    const former = backup.header.migrations.map((name) => name.replace("0028_model", "0027_model"));
    await expect(withMigrations(former.slice(1))).rejects.toThrow("older: it lacks 0001_accounts.sql.");
    expect(await state()).toBe(before);
  });

  test("works between installations that began before and after the baseline of the schema, both ways", async () => {
    const old = await createTestDatabase(inject("postgresUrl"), "empty");
    const { numbered } = await readMigrations();
    await migrate(old.url, { baseline: null, numbered });
    const fresh = await createTestDatabase(inject("postgresUrl"));
    try {
      await restore(old, file);
      await backUp(old, altered(), true);
      await restore(fresh, altered());
      const again = join(folder, "between.gz");
      await backUp(fresh, again);
      expect(await rowsOf(again)).toBe(await rowsOf(file));
    } finally {
      await old.close();
      await fresh.close();
    }
  });

  test("that fails half way leaves everything as it was", async () => {
    // A whole and well-formed file whose last table the database refuses: it was changed after it was verified.
    const backup = await verifyBackup(file);
    await alter((text) => text.replace(/\t\+15555\d+\t/, "\t\\N\t"));
    await expect(
      restoreBackup({ databaseUrl: target.url, file: altered(), backup, force: true, onTable: () => undefined }),
    ).rejects.toThrow("not-null");
    expect(await state()).toBe(before);
    await alter((text) => text.replace("+15555000", "+15559999"));
    await expect(
      restoreBackup({ databaseUrl: target.url, file: altered(), backup, force: true, onTable: () => undefined }),
    ).rejects.toThrow();
    expect(await state()).toBe(before);
  });

  test("checks references, including circular ones", async () => {
    const backup = await verifyBackup(file);
    const orphan = await unzipped(file);
    const columns = /\{"table":"agents","columns":\[([^\]]*)\]\}/.exec(orphan)?.[1]?.split(",") ?? [];
    const at = columns.indexOf('"published_version"');
    await alterAndSeal((text) =>
      text.replace(/(\{"table":"agents"[^\n]*\n)([^\n]*)/, (_all, head: string, row: string) => {
        const fields = row.split("\t");
        fields[at] = "77";
        return head + fields.join("\t");
      }),
    );
    await expect(
      restoreBackup({ databaseUrl: target.url, file: altered(), backup, force: true, onTable: () => undefined }),
    ).rejects.toThrow("agents_published_version_exists");
    expect(await state()).toBe(before);
  });

  test("by force replaces everything and leaves the schema as strict as it was", async () => {
    const constraints = () =>
      run(
        target.db,
        "select conname, condeferrable, condeferred, convalidated, pg_get_constraintdef(oid) from pg_constraint order by conname",
      );
    const strict = await constraints();
    await restore(target, file, true);
    expect(await state()).toBe(await rowsOf(file));
    expect(await constraints()).toEqual(strict);
    await expect(run(target.db, "update ledger_transfers set note = 'x'")).rejects.toThrow("never changed");
  });
});
