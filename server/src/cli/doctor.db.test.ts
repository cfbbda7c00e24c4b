import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { registerWorker } from "../calls/runs/lease/lease-store.ts";
import { reportHeadroom } from "../calls/runs/worker/headroom/headroom-store.ts";
import { openPatient } from "../phone/doctor/testing/open-patient.ts";
import { readSettings } from "../platform/config/read-settings.ts";
import { run } from "../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { typeCommand } from "./testing/type-command.ts";

const RTP_PORTS = 20;

let t: TestDatabase;
let folder: string;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  folder = await mkdtemp(join(tmpdir(), "parley-doctor-"));
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await run(t.db, "delete from trunk_routes");
  await run(t.db, "delete from trunks");
});

async function type(argv: readonly string[], interrupted = new AbortController().signal) {
  const firstPort = await freePorts(RTP_PORTS);
  const environment = {
    DATABASE_URL: t.url,
    PARLEY_DATA_DIR: join(folder, "data"),
    PARLEY_SECRET: "a secret of the tests that is long enough",
    PARLEY_SIP_HOST: "127.0.0.1",
    PARLEY_SIP_PORT: "0",
    PARLEY_RTP_PORTS: `${firstPort}-${firstPort + RTP_PORTS - 1}`,
  };
  return typeCommand(argv, () => readSettings(environment, folder), { interrupted });
}

async function addTrunk(...options: string[]): Promise<void> {
  const argv = ["trunks", "add", "--name", "Carrier One", "--host", "127.0.0.1", ...options];
  const { code, err } = await type(argv);
  if (code !== 0) throw new Error(err);
  await type(["routes", "add", "all", "Carrier One"]);
}

describe("doctor trunk", () => {
  test("shows a row for each step and ends well when the trunk does", async () => {
    const patient = await openPatient();
    try {
      await addTrunk("--port", String(patient.farEnd.port));
      const { code, out, err } = await type(["doctor", "trunk", "carrier one"]);
      expect([code, out.split("\n")[0]]).toEqual([0, "STEP          VERDICT  FINDING"]);
      expect(out).toMatch(/^options +ok +It answered 200 OK/m);
      expect(out).toContain("What to do:\n  call  Name a number to call");
      expect(out).toContain("Nothing is wrong with Carrier One as far as it was tried.");
      expect(err).toContain("asking whether it is there ...");
      const audit = await run(
        t.db,
        "select actor, data from audit_log where action = 'trunk.examined' order by created_at",
      );
      expect(audit).toEqual([{ actor: "operator", data: { called: false } }]);
    } finally {
      await patient.close();
    }
  });

  test("fails with what to do when something is wrong, for people and for programs", async () => {
    await addTrunk("--port", "1", "--transport", "tcp");
    const people = await type(["doctor", "trunk", "Carrier One"]);
    expect(people.code).toBe(1);
    expect(people.out).toContain("  connection  Nothing listens there: check the port.");
    expect(people.out).toContain("Carrier One does not work as it is.");
    const programs = await type(["doctor", "trunk", "Carrier One", "--json"]);
    expect(programs.code).toBe(1);
    expect(JSON.parse(programs.out)).toMatchObject({ isHealthy: false });
  });

  test("rejects an invalid number and an unknown trunk, and says so", async () => {
    const wrong = await type(["doctor", "trunk", "Carrier One", "--to", "12345"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--to: must be a plus sign")]);
    const unknown = await type(["doctor", "trunk", "Carrier Two"]);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('There is no trunk "Carrier Two"')]);
  });

  test("leaves no phone ringing when it is interrupted", async () => {
    const patient = await openPatient({ plan: { answersAfterMs: null } });
    try {
      await addTrunk("--port", String(patient.farEnd.port));
      const interruption = new AbortController();
      const running = type(["doctor", "trunk", "Carrier One", "--to", "+15550100001"], interruption.signal);
      const states = () => [...patient.farEnd.calls.values()].map(({ state }) => state);
      await vi.waitFor(() => expect(states()).toEqual(["ringing"]), { timeout: 20_000, interval: 10 });
      interruption.abort();
      expect((await running).code).toBe(130);
      expect(patient.farEnd.callTo("+15550100001").state).toBe("over");
    } finally {
      await patient.close();
    }
  });
});

describe("doctor capacity", () => {
  beforeEach(async () => {
    await run(t.db, "delete from workers");
  });

  test("says that no worker is running", async () => {
    const { code, out } = await type(["doctor", "capacity"]);
    expect([code, out]).toEqual([1, expect.stringContaining("No worker is running")]);
  });

  test("shows how many calls the workers hold at once, what limits them and what to do", async () => {
    await registerWorker(t.db, "wrk_quiet", 100);
    await reportHeadroom(t.db, "wrk_quiet", { held: 3, callsMax: 18, limit: null });
    await registerWorker(t.db, "wrk_busy", 100);
    await reportHeadroom(t.db, "wrk_busy", { held: 12, callsMax: 12, limit: { because: "recognition_load" } });
    await registerWorker(t.db, "wrk_gone", 100);
    await run(t.db, "update workers set seen_at = now() - interval '1 minute' where id = 'wrk_gone'");
    const { code, out } = await type(["doctor", "capacity"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^wrk_quiet +3 +18 +takes more calls/m);
    expect(out).toMatch(/^wrk_busy +12 +12 +speech recognition would not keep up with another call/m);
    expect(out).not.toContain("wrk_gone");
    expect(out).toContain("This installation holds 30 calls at once, as measured now.\nAdd cores or another machine");
  });
});
