import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Credentials, claimFirst, dataOf } from "../harness/accounts.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { send } from "../harness/http-client.ts";
import type { ServiceProcess } from "../harness/service-process.ts";

const PASSWORD = "hunter2-of-the-carrier";
let world: ApiWorld;
let service: ServiceProcess;
let operator: Credentials;
let printed = "";

beforeAll(async () => {
  world = await openApiWorld();
});
afterAll(() => world?.close());

const trunk = (name: string) => ({ name, host: "127.0.0.1", username: "u", password: { env: "CARRIER_PASSWORD" } });
const environment = () => ({
  PARLEY_TRUNKS: join(world.dataDir, "trunks.json"),
  PARLEY_LOG_LEVEL: "debug",
  CARRIER_PASSWORD: PASSWORD,
});

async function startWith(file: object): Promise<void> {
  await writeFile(join(world.dataDir, "trunks.json"), JSON.stringify(file));
  service = await world.start(environment(), service?.port);
}

async function stop(): Promise<void> {
  await service.end();
  printed += service.output();
}

const read = async (path: string) => {
  const reply = await send(service.url, { path: `/api/v1/operator/${path}`, headers: operator });
  printed += reply.text;
  return dataOf(reply);
};

test("a service has the trunks and routes of its file, and they cannot be changed otherwise", async () => {
  await startWith({ trunks: [trunk("One"), trunk("Two")], routes: [{ prefix: "49", trunk: "One" }] });
  operator = (await claimFirst(service)).cookie;
  const trunks = await read("trunks");
  expect(trunks).toMatchObject([
    { name: "Two", managedBy: "configuration", hasPassword: true },
    { name: "One", managedBy: "configuration", hasPassword: true },
  ]);
  expect(await read("routes")).toMatchObject([{ prefix: "49", trunkName: "One", managedBy: "configuration" }]);
  const path = `/api/v1/operator/trunks/${trunks[0].id}`;
  const refused = await send(service.url, { method: "PATCH", path, headers: operator, json: { isEnabled: false } });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: "invalid_state" } } });
  await stop();
});

test("a trunk that has left the file is disabled at the next start", async () => {
  await startWith({ trunks: [trunk("Two")] });
  expect(await read("trunks")).toMatchObject([
    { name: "Two", isEnabled: true, managedBy: "configuration" },
    { name: "One", isEnabled: false, managedBy: "operator" },
  ]);
  expect(await read("routes")).toEqual([]);
  await stop();
});

test("a start without the file leaves trunks as they are", async () => {
  await rm(join(world.dataDir, "trunks.json"));
  service = await world.start({}, service.port);
  expect((await read("trunks")).map((each: { isEnabled: boolean }) => each.isEnabled)).toEqual([true, false]);
  await stop();
});

test("a file with mistakes stops the start and names all of them, without revealing the password", async () => {
  const wrong = { trunks: [{ ...trunk("One"), port: 0, host: "a b", password: `${PASSWORD}\n` }], routes: {} };
  await writeFile(join(world.dataDir, "trunks.json"), JSON.stringify(wrong));
  const said = await world.start(environment()).then(
    () => "it started",
    (error: Error) => error.message,
  );
  for (const place of ["trunks[0].host", "trunks[0].port", "trunks[0].password", "routes"])
    expect(said).toContain(`PARLEY_TRUNKS: ${place} `);
  printed += said;
});

test("the password was never printed nor returned", () => {
  expect(printed).toContain("trunks");
  expect(printed).not.toContain(PASSWORD);
});
