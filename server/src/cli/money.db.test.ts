import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findRate } from "../accounts/credits/find-rate.ts";
import { setScene } from "../calls/runs/testing/call-scene.ts";
import { readSettings } from "../platform/config/read-settings.ts";
import { run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { typeCommand } from "./testing/type-command.ts";

let t: TestDatabase;
let folder: string;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-money-commands-"));
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

function type(...argv: string[]) {
  const PARLEY_SECRET = "a secret of the tests that is long enough";
  const environment = { DATABASE_URL: t.url, PARLEY_DATA_DIR: join(folder, "data"), PARLEY_SECRET };
  return typeCommand(argv, () => readSettings(environment, folder));
}

async function typeJson<T>(...argv: string[]): Promise<T> {
  const { code, out, err } = await type(...argv, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as T;
}

const rateOf = async (number: string) => (await findRate(t.db, number, "local")).routePerMinuteMicros;

describe("rates", () => {
  test("are set, listed and removed by prefix, written with a plus sign or without", async () => {
    const before = await rateOf("+4930123456");
    await typeJson("rates", "set", "4930", "0.009", "--description", "Berlin");
    expect(await rateOf("+4930123456")).toBe(9000n);
    const { routes } = await typeJson<{ routes: object[] }>("rates", "list", "--prefix", "+4930");
    expect(routes).toEqual([{ prefix: "+4930", perMinute: "0.009", description: "Berlin" }]);
    await typeJson("rates", "remove", "+4930");
    expect(await rateOf("+4930123456")).toBe(before);
    expect((await type("rates", "remove", "+4930")).code).toBe(1);
  });

  test("of engines are set for engines there are", async () => {
    await typeJson("rates", "engine", "local", "0.02");
    expect((await findRate(t.db, "+4930123456", "local")).enginePerMinuteMicros).toBe(20_000n);
    expect((await type("rates", "engine", "nobody", "0.02")).code).toBe(1);
  });

  test.each([
    ["a price that is none", ["rates", "set", "+49", "cheap"]],
    ["a prefix that is none", ["rates", "set", "+4x", "0.01"]],
  ])("are not set to %s", async (_, argv) => {
    expect((await type(...argv)).code).toBe(2);
  });
});

describe("the gate", () => {
  test("shows and changes the rules of the installation, and of one account", async () => {
    expect(await typeJson("gate", "show")).toMatchObject({
      countries: null,
      ratePerMinuteMax: null,
      shutOutByCap: { countries: [], partly: [] },
      callingHours: { start: "08:00", end: "21:00" },
      mayIgnoreCallingHours: true,
    });
    const changed = await typeJson(
      "gate",
      "change",
      "--hours",
      "09:00-20:00",
      "--rate-max",
      "0.3",
      "--per-range",
      "none",
    );
    const hours = { start: "09:00", end: "20:00" };
    expect(changed).toMatchObject({ ratePerMinuteMax: "0.30", callingHours: hours, callsPerRangeAndHour: null });
    const { accountId } = await setScene(t.db);
    await typeJson("gate", "change", "--account", accountId, "--countries", "de,at", "--ignore-hours", "no");
    expect(await typeJson("gate", "show", "--account", accountId)).toMatchObject({
      countries: ["DE", "AT"],
      ratePerMinuteMax: null,
      mayIgnoreCallingHours: false,
    });
    const noted = await run<{ target: string }>(t.db, "select target from audit_log where action = 'gate.changed'");
    expect(noted.map(({ target }) => target)).toEqual(["installation", accountId]);
  });

  test.each([
    ["nothing to change", []],
    ["hours that end before they begin", ["--hours", "20:00-09:00"]],
    ["what is no country", ["--countries", "Germany"]],
    ["what is no number", ["--per-number", "many"]],
  ])("refuses %s", async (_, argv) => {
    expect((await type("gate", "change", ...argv)).code).toBe(2);
  });
});
