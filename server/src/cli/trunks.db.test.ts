import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NewTrunk } from "@parley/contract/trunks";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { applyConfiguration } from "../phone/trunks/apply-configuration.ts";
import { noteAttempt } from "../phone/trunks/attempt-note-store.ts";
import { takeTrunkSlot } from "../phone/trunks/slot-store.ts";
import { readSettings } from "../platform/config/read-settings.ts";
import { deriveSecrets } from "../platform/config/secret.ts";
import { inTransaction, run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { typeCommand } from "./testing/type-command.ts";

const SECRET = "a secret of the tests that is long enough";
const PASSWORD = "hunter2 of the carrier";
let t: TestDatabase;
let folder: string;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-trunk-commands-"));
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await run(t.db, "delete from trunk_routes");
  await run(t.db, "delete from trunks");
});

function type(...argv: string[]) {
  const environment = { DATABASE_URL: t.url, PARLEY_DATA_DIR: join(folder, "data"), PARLEY_SECRET: SECRET };
  return typeCommand(argv, () => readSettings(environment, folder), {
    readSecret: async () => PASSWORD,
    readVariable: (name) => ({ CARRIER_PASSWORD: PASSWORD })[name],
  });
}

async function typeJson<T>(...argv: string[]): Promise<T> {
  const { code, out, err } = await type(...argv, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as T;
}

const add = (...rest: string[]) => type("trunks", "add", "--name", "Carrier One", "--host", "sip.example.com", ...rest);
const show = () => typeJson<Record<string, unknown>>("trunks", "show", "Carrier One");
const audit = () =>
  run<{ action: string; actor: string; account_id: string | null; data: unknown }>(
    t.db,
    "select action, actor, account_id, data from audit_log order by created_at, id",
  );

describe("trunks", () => {
  test("are added with their id alone on standard output, and shown by name or id without the password", async () => {
    const { code, out, err } = await add(
      ...["--transport", "tls", "--username", "customer17", "--password-env", "CARRIER_PASSWORD"],
      ...["--register-as", "customer17", "--caller-ids", "+4930100,+4930101", "--codecs", "PCMA"],
      ...["--srtp", "required", "--channels", "30", "--calls-per-second", "2.5", "--number-format", "digits"],
      ...["--public-address", "[2001:db8::9]:5061", "--ping-seconds", "none", "--asserts-identity", "yes"],
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^trk_\w+\n$/)]);
    expect(err).toContain("Carrier One");
    expect(await show()).toMatchObject({
      id: out.trim(),
      transport: "tls",
      username: "customer17",
      hasPassword: true,
      callerIds: ["+4930100", "+4930101"],
      codecs: ["PCMA"],
      channelsMax: 30,
      callsPerSecond: 2.5,
      numberFormat: "digits",
      publicAddress: { host: "2001:db8::9", port: 5061 },
      pingIntervalSeconds: null,
      assertsIdentity: true,
      managedBy: "operator",
    });
    expect(await typeJson("trunks", "show", out.trim())).toEqual(await show());
    const { out: table } = await type("trunks", "show", "carrier one");
    expect(table).toMatch(/^hasPassword +yes$/m);
    expect(table).toMatch(/^health +not known$/m);
    const [row] = await run<{ sealed: Buffer }>(t.db, "select password_sealed as sealed from trunks");
    const secrets = deriveSecrets(SECRET);
    expect(secrets.open(row?.sealed ?? Buffer.alloc(0), `${out.trim()}/password`)).toBe(PASSWORD);
    expect((await audit()).at(-1)).toMatchObject({ action: "trunk.created", actor: "operator", account_id: null });
    expect(JSON.stringify([err, table, await show(), await audit()])).not.toContain("hunter2");
  });

  test("take a password from standard input, never as a word", async () => {
    expect((await add("--username", "u", "--password-stdin")).code).toBe(0);
    expect(await show()).toMatchObject({ hasPassword: true });
    for (const argv of [["--password", "hunter2"], ["--password=hunter2"]]) {
      const { code, out, err } = await add("--username", "u", ...argv);
      expect([code, out]).toEqual([2, ""]);
      expect(err).not.toContain("hunter2");
    }
  });

  test("are listed with their calls, their answers and their health", async () => {
    const id = (await add("--channels", "5")).out.trim();
    await inTransaction(t.db, (tx) => takeTrunkSlot(tx, id));
    for (const answered of [true, false, false])
      await noteAttempt(t.db, { trunkId: id, callerId: "+4930100", rang: true, answered });
    await run(
      t.db,
      "insert into trunk_health (trunk_id, worker_id, is_reachable, circuit, trouble) values ($1, 'wrk_1', false, 'closed', 'no answer to OPTIONS')",
      [id],
    );
    const { out } = await type("trunks", "list");
    expect(out).toMatch(/^NAME +ID +HOST/);
    expect(out).toMatch(
      /Carrier One +trk_\w+ +udp:sip\.example\.com +yes +operator +1 of 5 +33 % \(1 of 3\) +not reachable: no answer to OPTIONS$/m,
    );
    expect((await type("trunks", "show", id)).out).toMatch(/^\+4930100 +33 % \(1 of 3\)$/m);
    expect(await typeJson("trunks", "list")).toMatchObject([{ id, activeCalls: 1 }]);
  });

  test("are changed field by field, and `none` takes away", async () => {
    await add(
      "--port",
      "5080",
      "--caller-ids",
      "+4930100",
      "--dial-prefix",
      "17",
      "--username",
      "u",
      "--password-stdin",
    );
    const elsewhere = ["trunks", "change", "Carrier One", "--channels", "7", "--port", "none"];
    expect(await type(...elsewhere)).toMatchObject({ code: 2 });
    expect(await type(...elsewhere, "--password-stdin")).toMatchObject({ code: 0 });
    expect(await show()).toMatchObject({ channelsMax: 7, port: null, callerIds: ["+4930100"], hasPassword: true });
    const cleared = ["--caller-ids", "none", "--dial-prefix", "none", "--username", "none", "--channels", "none"];
    expect(await type("trunks", "change", "Carrier One", ...cleared)).toMatchObject({ code: 0 });
    expect(await show()).toMatchObject({ callerIds: [], dialPrefix: "", username: null, hasPassword: false });
    expect((await type("trunks", "change", "Carrier One", "--name", "Other")).out).toBe("Trunk Other was changed.\n");
    expect((await type("trunks", "change", "Other")).code).toBe(2);
  });

  test("are enabled, disabled and removed", async () => {
    await add();
    expect((await type("trunks", "disable", "carrier one")).out).toBe("Trunk Carrier One is disabled.\n");
    expect(await show()).toMatchObject({ isEnabled: false });
    expect((await type("trunks", "enable", "Carrier One")).out).toBe("Trunk Carrier One is enabled.\n");
    expect((await type("trunks", "remove", "Carrier One")).out).toBe("Trunk Carrier One was removed.\n");
    expect(await type("trunks", "show", "Carrier One")).toMatchObject({
      code: 1,
      err: 'There is no trunk "Carrier One". `trunks list` shows them all.\n',
    });
  });

  test.each([
    [["--port", "many"], '--port must be a number or none, not "many".'],
    [["--port", "70000"], "--port: must be at most 65535."],
    [["--transport", "ws"], "--transport: must be one of udp, tcp, tls."],
    [["--proxy", "proxy.example.com"], "--proxy: must be a SIP address such as"],
    [["--caller-ids", "030100"], "--caller-ids: must be a plus sign"],
    [["--asserts-identity", "maybe"], '--asserts-identity must be yes or no, not "maybe".'],
    [["--public-address", "a.example"], '--public-address must be HOST:PORT or none, not "a.example".'],
    [["--register-as", "u"], "--register-as: needs username and password."],
    [["--username", "u"], "--password-stdin or --password-env: is required with username."],
    [["--password-env", "NOT_SET"], "--password-env: NOT_SET is not set."],
  ])("are not added from invalid options (%j)", async (options, message) => {
    const { code, out, err } = await add(...options);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(await typeJson("trunks", "list")).toEqual([]);
  });

  test("of a name that is taken are refused", async () => {
    await add();
    expect(await add()).toMatchObject({ code: 2, out: "" });
    expect((await add()).err).toContain("--name: is used by another trunk.");
  });

  test("from the file of trunks are not changed here", async () => {
    const trunks = [NewTrunk.parse({ name: "Carrier One", host: "sip.example.com" })];
    const routes = [{ prefix: "", trunk: "Carrier One", priority: 0, weight: 1 }];
    await applyConfiguration(t.db, deriveSecrets(SECRET), { trunks, routes });
    const [route] = await typeJson<{ id: string }[]>("routes", "list");
    for (const argv of [
      ["trunks", "disable", "Carrier One"],
      ["trunks", "change", "Carrier One", "--port", "5080"],
      ["trunks", "remove", "Carrier One"],
      ["routes", "remove", route?.id ?? ""],
    ]) {
      const { code, err } = await type(...argv);
      expect([code, err.includes("PARLEY_TRUNKS")]).toEqual([1, true]);
    }
  });
});

describe("routes", () => {
  test("are added by prefix and trunk, listed, and removed by id", async () => {
    await add();
    const { code, out, err } = await type("routes", "add", "+49", "carrier one", "--priority", "2", "--weight", "3");
    expect([code, out]).toEqual([0, expect.stringMatching(/^rte_\w+\n$/)]);
    expect(err).toBe("Numbers that begin with +49 may go out on Carrier One.\n");
    await type("trunks", "disable", "Carrier One");
    expect((await type("routes", "add", "all", "Carrier One")).err).toContain("The trunk is disabled");
    const { out: table } = await type("routes", "list");
    expect(table).toMatch(/^all +Carrier One +0 +1 +operator +rte_\w+$/m);
    expect(table).toMatch(/^\+49 +Carrier One +2 +3 +operator +rte_\w+$/m);
    expect(await type("trunks", "remove", "Carrier One")).toMatchObject({
      code: 1,
      err: "2 routes lead to trunk Carrier One. Remove them first.\n",
    });
    expect((await type("routes", "remove", out.trim())).code).toBe(0);
    expect(await typeJson("routes", "list")).toMatchObject([{ prefix: "", trunkName: "Carrier One" }]);
    expect(await type("routes", "remove", out.trim())).toMatchObject({ code: 1, err: "There is no such route.\n" });
  });

  test.each([
    [["4x", "Carrier One"], 2, "PREFIX"],
    [["49", "Nobody"], 1, 'There is no trunk "Nobody".'],
    [["49", "Carrier One", "--weight", "heavy"], 2, "--weight must be a whole number"],
    [["49", "Carrier One", "--priority", "2000000"], 2, "--priority"],
  ])("are not added as %j", async (argv, code, message) => {
    await add();
    const reply = await type("routes", "add", ...argv);
    expect([reply.code, reply.out]).toEqual([code, ""]);
    expect(reply.err).toContain(message);
  });

  test("exist once", async () => {
    await add();
    await type("routes", "add", "49", "Carrier One");
    expect(await type("routes", "add", "+49", "Carrier One")).toMatchObject({
      code: 1,
      err: "There is such a route already. `routes list` shows them all.\n",
    });
  });
});
