import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { seedCalls } from "../platform/checks/testing/seed-calls.ts";
import { readSettings } from "../platform/config/read-settings.ts";
import { deriveSecrets, loadSecret } from "../platform/config/secret.ts";
import { run } from "../platform/database/database.ts";
import { makeDatabaseFolder } from "../platform/database/testing/database-folder.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { typeCommand } from "./testing/type-command.ts";

let t: TestDatabase;
let folder: string;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-commands-"));
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

interface Place {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly secret?: string;
  /** Instead of a public address. */
  readonly port?: string;
  readonly interrupted?: AbortSignal;
}

function typeAt(place: Place, ...argv: string[]) {
  const environment = {
    DATABASE_URL: place.database.url,
    PARLEY_DATA_DIR: place.dataDir,
    PARLEY_PUBLIC_URL: place.port === undefined ? "https://parley.example" : undefined,
    PARLEY_PORT: place.port,
    PARLEY_SECRET: place.secret,
  };
  const { interrupted } = place;
  return typeCommand(argv, () => readSettings(environment, folder), interrupted === undefined ? {} : { interrupted });
}
const type = (...argv: string[]) => typeAt({ database: t, dataDir: join(folder, "data") }, ...argv);

async function typeJson<T>(...argv: string[]): Promise<T> {
  const { code, out, err } = await type(...argv, "--json");
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as T;
}

const makeAccount = (name: string) => typeJson<{ id: string; claimUrl: string }>("accounts", "create", "--name", name);
const auditOf = (accountId: string) =>
  run<{ action: string; actor: string; data: unknown }>(
    t.db,
    "select action, actor, data from audit_log where account_id = $1 order by created_at, id",
    [accountId],
  );

describe("accounts", () => {
  test("are created with credit, agents and a link that claims them once", async () => {
    const { code, out, err } = await type("accounts", "create", "--name", " Acme ", "--email", "Ada@Example.com");
    expect(code).toBe(0);
    expect(out).toMatch(/^https:\/\/parley\.example\/claim\?token=\S+\n$/);
    expect(err).toContain("Acme");
    const [member] = await run<{ account_id: string; email: string; is_operator: boolean }>(
      t.db,
      "select account_id, email, is_operator from members where email = 'ada@example.com'",
    );
    expect(member).toMatchObject({ is_operator: false });
    const secrets = deriveSecrets(loadSecret(null, join(folder, "data")));
    const token = new URL(out.trim()).searchParams.get("token") ?? "";
    const links = await run(
      t.db,
      `select kind, expires_at between now() + interval '167 hours' and now() + interval '168 hours' as "lastsSevenDays"
       from links where token_digest = $1`,
      [secrets.digest(token)],
    );
    expect(links).toEqual([{ kind: "claim", lastsSevenDays: true }]);
    expect(err).toContain("7 days");
    const accountId = member?.account_id ?? "";
    expect(await auditOf(accountId)).toMatchObject([{ action: "account.created", actor: "operator" }]);
    const listed = (await typeJson<{ id: string; name: string; balance: string }[]>("accounts", "list")).find(
      ({ id }) => id === accountId,
    );
    expect(listed).toMatchObject({ name: "Acme", balance: "10.00" });
    const table = await type("accounts", "list");
    expect(table.out).toMatch(/^ID +NAME +BALANCE/);
    expect(table.out).toContain(accountId);
  });

  test("are refused with an e-mail that someone has, or that is none", async () => {
    await type("accounts", "create", "--name", "One", "--email", "taken@example.com");
    const again = await type("accounts", "create", "--name", "Two", "--email", "taken@example.com");
    expect(again).toMatchObject({ code: 1, out: "", err: "taken@example.com already belongs to a member.\n" });
    expect(await type("accounts", "create", "--name", "Two", "--email", "nonsense")).toMatchObject({ code: 2 });
    expect(await type("accounts", "create", "--name", "   ")).toMatchObject({ code: 2 });
  });

  test("have limits that can be shown and changed, and the change is audited", async () => {
    const { id } = await makeAccount("Limits");
    expect(await typeJson("accounts", "limits", "Limits")).toMatchObject({ concurrencyMax: 20, callsPerSecond: 2 });
    const changed = await typeJson("accounts", "limits", id, "--concurrency", "5", "--calls-per-second", "0.5");
    expect(changed).toMatchObject({ concurrencyMax: 5, callsPerSecond: 0.5, queuedMax: 10_000 });
    const lanes = await run(t.db, "select concurrency_max from dispatch_lanes where account_id = $1", [id]);
    expect(lanes).toEqual([{ concurrency_max: 5 }, { concurrency_max: 5 }]);
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: "limits.changed", actor: "operator" });
    expect(await type("accounts", "limits", id, "--concurrency", "many")).toMatchObject({ code: 2 });
    expect((await type("accounts", "limits", id, "--calls-per-second", "0")).err).toContain("--calls-per-second");
  });

  test("that share a name must be given by id", async () => {
    const first = await makeAccount("Twin");
    const second = await makeAccount("Twin");
    const { code, err } = await type("credit", "show", "Twin");
    expect(code).toBe(1);
    expect(err).toContain(first.id);
    expect(err).toContain(second.id);
    expect(await type("credit", "show", "Nobody")).toMatchObject({ code: 1 });
  });
});

describe("members", () => {
  test("who lost their device have the second factor removed only by an explicit option", async () => {
    const { id } = await makeAccount("Lost device");
    await run(t.db, "update members set email = 'lost@example.com', password_hash = 'x' where account_id = $1", [id]);
    await run(
      t.db,
      `insert into second_factors (member_id, secret_sealed, confirmed_at)
       select id, '\\x00', clock_timestamp() from members where account_id = $1`,
      [id],
    );
    const count = async () => (await run(t.db, "select 1 from second_factors")).length;
    expect(await typeJson("members", "reset", "lost@example.com")).toMatchObject({ secondFactorCleared: false });
    expect(await count()).toBe(1);
    const { code, out, err } = await type("members", "reset", "Lost@example.com", "--second-factor");
    expect([code, await count()]).toEqual([0, 0]);
    expect(out).toMatch(/\/reset\?token=/);
    expect(err).toContain("The second factor was turned off.");
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: "second_factor.reset", actor: "operator" });
    expect((await type("members", "reset", "lost@example.com", "--second-factor")).err).toContain("no second factor");
  });

  test("are listed, and get a link when they forgot their password", async () => {
    await type("accounts", "create", "--name", "Members", "--email", "bo@example.com");
    const members = await typeJson<{ email: string; role: string }[]>("members", "list", "Members");
    expect(members).toMatchObject([{ email: "bo@example.com", role: "owner", status: "invited" }]);
    const { code, out } = await type("members", "reset", "Bo@example.com");
    expect(code).toBe(0);
    expect(out).toMatch(/^https:\/\/parley\.example\/reset\?token=\S+\n$/);
    expect(await type("members", "reset", "no@example.com")).toMatchObject({
      code: 1,
      err: "No member has the e-mail no@example.com.\n",
    });
    expect((await type("members", "list", "Members")).out).toContain("bo@example.com");
  });

  test("who were invited and have not joined get no such link, and the command says so", async () => {
    const { id } = await makeAccount("Inviting");
    await run(
      t.db,
      "insert into members (id, account_id, email, role) values ('mem_invited', $1, 'invited@example.com', 'member')",
      [id],
    );
    const { code, out, err } = await type("members", "reset", "Invited@example.com");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(
      `invited@example.com was invited to ${id} and has not joined, so there is no password to reset. ` +
        "To invite them again, an owner removes the invitation first.\n",
    );
    expect(await run(t.db, "select id from links where member_id = 'mem_invited'")).toEqual([]);
  });
});

describe("links", () => {
  const atPort = (...argv: string[]) => typeAt({ database: t, dataDir: join(folder, "data"), port: "4567" }, ...argv);
  const note = "Assuming the service is at http://127.0.0.1:4567; set PARLEY_PUBLIC_URL or PARLEY_PORT if not.\n";

  test("come with a note on the address they assume when no public address is set, apart from the link", async () => {
    const made = await atPort("accounts", "create", "--name", "Assumed", "--email", "assumed@example.com");
    expect(made.out).toMatch(/^http:\/\/127\.0\.0\.1:4567\/claim\?token=\S+\n$/);
    expect(made.err).toContain(note);
    const reset = await atPort("members", "reset", "assumed@example.com", "--json");
    expect(JSON.parse(reset.out)).toMatchObject({ email: "assumed@example.com" });
    expect(reset.err).toBe(note);
  });

  test("come without such a note when the public address is set, and so does what has no link", async () => {
    expect((await type("members", "reset", "assumed@example.com")).err).not.toContain("Assuming");
    expect((await atPort("accounts", "list")).err).toBe("");
    expect((await atPort("members", "reset", "nobody@example.com")).err).not.toContain("Assuming");
  });
});

describe("keys", () => {
  test("are printed once and alone on standard output, listed without it, and revoked", async () => {
    const { id } = await makeAccount("Keys");
    const { code, out, err } = await type(
      ...["keys", "create", id, "--name", "CI", "--mode", "test"],
      ...["--scopes", "calls:read,calls:write", "--expires", "2199-01-01T00:00:00Z"],
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^svc_test_[0-9A-Za-z]{38}\n$/);
    const keyId = /key_\w+/.exec(err)?.[0] ?? "";
    const [listed] = await typeJson<Record<string, unknown>[]>("keys", "list", id);
    expect(listed).toMatchObject({ id: keyId, name: "CI", mode: "test", scopes: ["calls:write", "calls:read"] });
    const table = await type("keys", "list", id);
    expect(table.out).toContain(out.trim().slice(-4));
    expect(table.out).not.toContain(out.trim());
    expect((await type("keys", "revoke", keyId)).out).toContain("was revoked");
    expect((await typeJson<Record<string, unknown>[]>("keys", "list", id))[0]?.["revokedAt"]).toBeTruthy();
    expect((await auditOf(id)).map(({ action, actor }) => [action, actor])).toEqual([
      ["account.created", "operator"],
      ["api_key.created", "operator"],
      ["api_key.revoked", "operator"],
    ]);
  });

  test("are not created from invalid arguments", async () => {
    const { id } = await makeAccount("Wrong keys");
    const create = (...rest: string[]) => type("keys", "create", id, "--name", "x", ...rest);
    expect((await create("--mode", "real")).err).toContain("--mode");
    expect((await create("--mode", "test", "--scopes", "calls:dance")).err).toContain("--scopes");
    expect((await create("--mode", "test", "--expires", "tomorrow")).err).toContain("--expires");
    const past = await create("--mode", "test", "--expires", "2020-01-01T00:00:00Z");
    expect(past).toMatchObject({ code: 1, out: "" });
    expect(past.err).toContain("future");
    expect(await typeJson("keys", "list", id)).toEqual([]);
  });

  test("are revoked by id only; a key itself, or an unknown id, is refused", async () => {
    expect(await type("keys", "revoke", "key_gone")).toMatchObject({ code: 1 });
    const { id } = await makeAccount("Keeps its key");
    const { key } = await typeJson<{ key: string }>("keys", "create", id, "--name", "x", "--mode", "live");
    const { code, err } = await type("keys", "revoke", key);
    expect(code).toBe(1);
    expect(err).not.toContain(key);
  });
});

describe("credit", () => {
  test("is added and removed by transfers that the account can see, never below zero", async () => {
    const { id } = await makeAccount("Credit");
    expect(await typeJson("credit", "add", id, "5.25", "--note", "Goodwill")).toMatchObject({ balance: "15.25" });
    expect(await typeJson("credit", "remove", id, "0.250001")).toMatchObject({ balance: "14.999999" });
    const tooMuch = await type("credit", "remove", id, "15");
    expect(tooMuch).toMatchObject({
      code: 1,
      out: "",
      err: `15.00 USD cannot be removed: ${id} has 14.999999 USD to spend.\n`,
    });
    const shown = await typeJson<{ balance: string; entries: unknown[] }>("credit", "show", id);
    expect(shown).toMatchObject({
      balance: "14.999999",
      held: "0.00",
      entries: [
        { kind: "credit_removed", amount: "-0.250001" },
        { kind: "credit_added", amount: "5.25", note: "Goodwill" },
        { kind: "sign_up_credit", amount: "10.00" },
      ],
    });
    expect((await type("credit", "show", id)).out).toContain("14.999999 USD to spend");
    expect((await auditOf(id)).map(({ action, actor }) => [action, actor])).toEqual([
      ["account.created", "operator"],
      ["credit.added", "operator"],
      ["credit.removed", "operator"],
    ]);
    expect((await type("check")).out).toMatch(/^All \d+ checks passed\.\n$/);
  });

  test.each(["0", "-5", "1e3", "1.0000001", "many", ""])("of %j is refused", async (amount) => {
    const { id } = await makeAccount(`Amount ${amount}`);
    expect(await type("credit", "add", id, amount)).toMatchObject({ code: 2, out: "" });
  });
});

describe("check", () => {
  test("fails with a line per violation when something is wrong", async () => {
    const broken = await createTestDatabase(inject("postgresUrl"));
    try {
      const { queued } = await seedCalls(broken.db);
      await run(broken.db, "update calls set event_sequence = 9 where id = $1", [queued]);
      const place = { database: broken, dataDir: join(folder, "data") };
      const { code, out, err } = await typeAt(place, "check");
      expect(code).toBe(1);
      expect(err).toMatch(/^live_calls_have_a_run: check 1 of (\d+)\n(.*\n)*rows_belong_to_calls: check \1 of \1\n$/);
      expect(out).toBe(`events_have_no_gaps: ${queued} knows 9 events; there are 1, numbered 1 to 1\n`);
      const json = await typeAt(place, "check", "--json");
      expect(json.code).toBe(1);
      expect(JSON.parse(json.out)).toMatchObject({ ok: false });
    } finally {
      await broken.close();
    }
  });
});

describe("backup and restore", () => {
  let source: Place;
  let file: string;

  beforeAll(async () => {
    source = { database: await createTestDatabase(inject("postgresUrl")), dataDir: join(folder, "source") };
    file = join(folder, "backup.gz");
    await seedCalls(source.database.db);
    await typeAt(source, "accounts", "create", "--name", "Kept", "--email", "kept@example.com");
    await typeAt(source, "keys", "create", "Kept", "--name", "k", "--mode", "test");
    const { code, out, err } = await typeAt(source, "backup", file);
    expect(err).toContain("accounts: 2 rows");
    expect(err).toContain("secret");
    expect(out).toContain(file);
    expect(code).toBe(0);
  });
  afterAll(() => source.database.close());

  async function withTarget(work: (place: Place) => Promise<void>) {
    const database = await createTestDatabase(inject("postgresUrl"));
    const dataDir = await mkdtemp(join(folder, "target-"));
    try {
      await work({ database, dataDir });
    } finally {
      await database.close();
    }
  }

  test("move an installation with its keys, and report what happens to live calls", () =>
    withTarget(async (target) => {
      const { code, out, err } = await typeAt(target, "restore", file);
      expect(out).toMatch(/rows of \d+ tables are back as of .*\nAll \d+ checks passed\.\n$/);
      expect(err).toContain("Calls under way in the backup: 3.");
      expect(err).toContain("Calls waiting in the backup: 2.");
      expect(code).toBe(0);
      const secret = await readFile(join(target.dataDir, "secret"), "utf8");
      expect(secret).toBe(await readFile(join(source.dataDir, "secret"), "utf8"));
      expect((await stat(join(target.dataDir, "secret"))).mode & 0o777).toBe(0o600);
      expect(existsSync(join(target.dataDir, "secret.restored"))).toBe(false);
      const digests = "select digest from api_keys order by id";
      expect(await run(target.database.db, digests)).toEqual(await run(source.database.db, digests));
      expect((await typeAt(target, "members", "list", "Kept")).out).toContain("kept@example.com");
      expect((await typeAt(target, "restore", file)).err).toContain("The database is not empty");
      expect((await typeAt(target, "restore", file, "--force")).code).toBe(0);
    }));

  test("a drill restores into a database of its own and leaves nothing behind", () =>
    withTarget(async (target) => {
      const below = makeDatabaseFolder();
      const drill = await typeAt(target, "restore-drill", file, "--folder", below);
      expect(drill.out).toMatch(
        /rows of \d+ tables as of .* were restored and checked in .* s\.\nAll \d+ checks passed\.\nThe secret/,
      );
      expect(drill.code).toBe(0);
      expect(await readdir(below)).toEqual([]);
      await rm(below, { recursive: true });
      expect(await run(target.database.db, "select 1 from accounts")).toEqual([]);
    }));

  test("a drill finds what is wrong in a backup, and that its secret is missing", async () => {
    const configured = { ...source, secret: "s".repeat(40) };
    await run(source.database.db, "update dispatch_lanes set active_count = active_count + 1");
    const path = join(folder, "wrong.gz");
    expect((await typeAt(configured, "backup", path)).code).toBe(0);
    await run(source.database.db, "update dispatch_lanes set active_count = active_count - 1");
    const elsewhere = { database: source.database, dataDir: await mkdtemp(join(folder, "elsewhere-")) };
    const { code, out } = await typeAt(elsewhere, "restore-drill", path);
    expect(code).toBe(1);
    expect(out).toContain("lanes_count_live_calls:");
    expect(out).toContain("The secret of the backup is neither in it nor here");
  });

  test("a drill with a damaged file starts nothing", async () => {
    const bytes = await readFile(file);
    const path = join(folder, "cut.gz");
    await writeFile(path, bytes.subarray(0, bytes.length - 100));
    const below = await mkdtemp(join(folder, "cut-"));
    expect((await typeAt(source, "restore-drill", path, "--folder", below)).code).toBe(1);
    expect(await readdir(below)).toEqual([]);
  });

  test("refuse to leave keys dead, unless forced", () =>
    withTarget(async (target) => {
      loadSecret(null, target.dataDir);
      const mine = await readFile(join(target.dataDir, "secret"), "utf8");
      const refused = await typeAt(target, "restore", file);
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused.err).toContain("not the secret of the backup");
      expect(await readFile(join(target.dataDir, "secret"), "utf8")).toBe(mine);
      expect(await run(target.database.db, "select 1 from accounts")).toEqual([]);
      const configured = await typeAt({ ...target, secret: "c".repeat(40) }, "restore", file);
      expect(configured.err).toContain("PARLEY_SECRET is not the secret of the backup");
      expect((await typeAt(target, "restore", file, "--force")).err).toContain("The secret of the backup is in place.");
      expect(await readFile(join(target.dataDir, "secret"), "utf8")).not.toBe(mine);
    }));

  test("with a secret in the settings keep it out of the file, and ask for it again", async () => {
    const configured = { ...source, secret: "c".repeat(40) };
    const path = join(folder, "configured.gz");
    expect((await typeAt(configured, "backup", path)).err).toContain("is not in the file");
    await withTarget(async (target) => {
      expect((await typeAt(target, "restore", path)).err).toContain("another PARLEY_SECRET");
      expect((await typeAt({ ...target, secret: configured.secret }, "restore", path)).code).toBe(0);
    });
  });

  test("change nothing when the file is damaged, and name the file", () =>
    withTarget(async (target) => {
      const path = join(folder, "damaged.gz");
      await writeFile(path, (await readFile(file)).subarray(0, 5000));
      const { code, err } = await typeAt(target, "restore", path);
      expect(code).toBe(1);
      expect(err).toBe(`${path} is cut off. Nothing was changed.\n`);
      expect(existsSync(join(target.dataDir, "secret"))).toBe(false);
    }));

  test("say in one line what the system refuses", async () => {
    const { code, err } = await typeAt(source, "backup", join(folder, "no-such-folder", "backup.gz"));
    expect(code).toBe(1);
    expect(err).toMatch(/^ENOENT: .*no-such-folder.*\n$/m);
    expect(err).not.toContain("    at ");
    expect((await typeAt(source, "backup", file)).err).toContain("--force");
  });
});

test("an interrupted command closes what it opened", async () => {
  const interruption = new AbortController();
  interruption.abort();
  const place = { database: t, dataDir: join(folder, "data"), interrupted: interruption.signal };
  expect(await typeAt(place, "accounts", "list")).toMatchObject({ code: 130, out: "", err: "Interrupted.\n" });
});

test("a database that cannot be reached is explained in words", async () => {
  const environment = { DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none", PARLEY_DATA_DIR: join(folder, "data") };
  const { code, err } = await typeCommand(["check"], () => readSettings(environment, folder));
  expect(code).toBe(1);
  expect(err).toContain("DATABASE_URL");
  expect(err).not.toContain("    at ");
});

describe("a data folder without a database", () => {
  // Open to everyone, because root's PostgreSQL runs as another and a folder closed to it is refused anyway.
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "parley-typo-"));
    await chmod(parent, 0o755);
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  const typeIn = (dataDir: string, ...argv: string[]) =>
    typeCommand(argv, () => readSettings({ PARLEY_DATA_DIR: dataDir }, folder));

  test.each([
    ["backup", "backup", join(tmpdir(), "parley-typo.gz")],
    ["check", "check"],
    ["accounts create", "accounts", "create", "--name", "Acme"],
    ["members reset", "members", "reset", "bo@example.com"],
  ])("is refused by %s, which creates nothing instead", async (_name, ...argv) => {
    const dataDir = join(parent, "typo");
    const { code, out, err } = await typeIn(dataDir, ...argv);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`There is no database in ${dataDir}`);
    expect(err).toContain("PARLEY_DATA_DIR");
    expect(err).not.toContain("    at ");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("is refused also when it holds other things", async () => {
    const dataDir = join(parent, "other");
    await mkdir(dataDir);
    await writeFile(join(dataDir, "notes.txt"), "mine");
    expect(await typeIn(dataDir, "check")).toMatchObject({ code: 1, out: "" });
    expect(await readdir(dataDir)).toEqual(["notes.txt"]);
  });
});

test("a database without any account is neither backed up nor found to be in order", async () => {
  const database = await createTestDatabase(inject("postgresUrl"));
  try {
    const place = { database, dataDir: join(folder, "empty") };
    const file = join(folder, "empty.gz");
    for (const argv of [["check"], ["backup", file], ["backup", file, "--force"]]) {
      const { code, out, err } = await typeAt(place, ...argv);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("holds no account");
      expect(err).toContain("DATABASE_URL");
    }
    expect(existsSync(file)).toBe(false);
  } finally {
    await database.close();
  }
});

describe("migrate", () => {
  test("an empty database gets the schema, once", async () => {
    const empty = await createTestDatabase(inject("postgresUrl"), "empty");
    try {
      const place = { database: empty, dataDir: join(folder, "migrated") };
      expect(await typeAt(place, "migrate")).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Applied baseline/),
      });
      expect(await typeAt(place, "migrate")).toMatchObject({ code: 0, out: "The schema is up to date.\n" });
      expect(await run(empty.db, "select count(*)::int as calls from calls")).toEqual([{ calls: 0 }]);
    } finally {
      await empty.close();
    }
  });

  test("a folder without a database does not become an installation", async () => {
    const dataDir = join(folder, "mistyped");
    const { code, err } = await typeCommand(["migrate"], () => readSettings({ PARLEY_DATA_DIR: dataDir }, folder));
    expect([code, err]).toEqual([1, expect.stringContaining("There is no database")]);
    expect(existsSync(dataDir)).toBe(false);
  });
});

test("distribute prints the SQL for Citus in two parts, and changes nothing", async () => {
  const columns = () => run(t.db, "select 1 from pg_attribute where attname = 'account_id'");
  const before = await columns();
  const keys = await type("distribute");
  expect(keys.code).toBe(0);
  expect(keys.out).toMatch(/^-- Part 1\.[\s\S]*\ncommit;\n$/);
  expect(keys.err).toContain("docs/operations/citus.md");
  expect((await type("distribute", "--tables")).out).toContain(
    "select create_distributed_table('calls', 'account_id');\n",
  );
  expect(await columns()).toEqual(before);
});
