import { DoctorReport } from "@parley/contract/doctor";
import * as routes from "@parley/contract/routes/doctor";
import * as operatorRoutes from "@parley/contract/routes/operator";
import { systemRandom } from "@parley/telephony/sip/random-source";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { systemClock } from "@parley/time/clock";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { openTrunkScene, type TrunkScene } from "../trunks/testing/trunk-scene.ts";
import { readCarrierTrunk } from "../trunks/to-carrier-trunk.ts";
import { createDoctor } from "./create-doctor.ts";
import type { DoctorSurroundings } from "./facts.ts";
import { doctorRoutes } from "./routes.ts";

let scene: TrunkScene;
let held: Promise<void> = Promise.resolve();

const surroundingsAt = (firstPort: number): DoctorSurroundings => ({
  clock: systemClock,
  random: systemRandom,
  resolver: {
    srv: async () => [],
    // Name lookups wait for the test.
    addresses: async () => {
      await held;
      return [];
    },
  },
  sip: { address: "127.0.0.1", port: 0 },
  rtp: { address: "127.0.0.1", firstPort, lastPort: firstPort + 9 },
  mediaThreads: 1,
});

beforeAll(async () => {
  const surroundings = surroundingsAt(await freePorts(10));
  scene = await openTrunkScene(inject("postgresUrl"), (db, secrets) => {
    const readTrunk = (id: string) => readCarrierTrunk(db, secrets, id);
    const reach = { publicUrl: null, vendorUrls: { twilio: null, telnyx: null } };
    const vendors = { clock: systemClock, reach, fetch };
    return doctorRoutes({ db, doctor: createDoctor({ readTrunk, surroundings: () => surroundings, vendors }) });
  });
});
afterAll(() => scene.close());
beforeEach(async () => {
  held = Promise.resolve();
  await run(scene.database.db, "delete from trunks");
});

const add = async (body: object = {}): Promise<string> =>
  (
    await scene.call(operatorRoutes.createTrunk, {
      as: "operator",
      body: { name: "One", host: "127.0.0.1", port: 1, transport: "tcp", ...body },
    })
  ).data.id;
const examine = (id: string, body?: object, as = "operator") =>
  scene.call(routes.examineTrunk, { as, params: { id }, ...(body === undefined ? {} : { body }) });

test("an operator gets a finding for every step, in the shape of the contract, and it is audited", async () => {
  const id = await add();
  const { status, data } = await examine(id, {});
  expect(status).toBe(200);
  const report = DoctorReport.parse(data);
  expect(report).toMatchObject({ trunkId: id, isHealthy: false });
  expect(report.findings.map(({ step, verdict }) => `${step} ${verdict}`)).toEqual([
    "settings warning",
    "names ok",
    "connection fault",
    "options skipped",
    "registration skipped",
    "addresses skipped",
    "call skipped",
  ]);
  const audit = await run(
    scene.database.db,
    "select action, actor, target, data from audit_log where action = 'trunk.examined' and target = $1",
    [id],
  );
  expect(audit).toEqual([{ action: "trunk.examined", actor: scene.operatorId, target: id, data: { called: false } }]);
});

test("the body may be left out", async () => {
  expect((await examine(await add())).status).toBe(200);
});

test("only an operator may, the number must be valid, and an unknown trunk is not found", async () => {
  const id = await add();
  expect((await examine(id, {}, "owner")).status).toBe(403);
  expect((await examine(id, { to: "911" })).status).toBe(422);
  expect((await examine("trk_01k8m3v9zq4t6w8y0a2c4e6g8j", {})).status).toBe(404);
});

test("one trunk is examined once at a time", async () => {
  const id = await add({ host: "sip.example.com", port: 5060 });
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const both = [examine(id, {}), examine(id, {})];
  expect((await Promise.race(both)).code).toBe("invalid_state");
  resolve();
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await examine(id, {})).status).toBe(200);
});

test("a trunk whose password cannot be read says so", async () => {
  const id = await add({ username: "us", password: "hunter2" });
  await run(scene.database.db, "update trunks set password_sealed = '\\x00' where id = $1", [id]);
  const reply = await examine(id, {});
  expect(reply.code).toBe("invalid_state");
  expect(reply.text).not.toContain("hunter2");
});
