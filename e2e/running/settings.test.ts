import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { freePort } from "../harness/free-port.ts";
import { Scene } from "../harness/scene.ts";

const TOKEN = "an-operator-token-from-the-file";

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open("none");
});
afterAll(() => scene?.close());

test("all mistakes are reported at once, without the values, and nothing is started", async () => {
  const { code, output } = await scene.refuse({
    env: {
      PARLEY_PORT: "banana",
      PARLEY_PROT: "3000",
      PARLEY_ROLES: "api,cook",
      PARLEY_PUBLIC_URL: "nonsense",
      DATABASE_URL: "mysql://someone:hunter2@db.example/parley",
      PARLEY_SECRET: "too-short",
    },
  });
  expect(code).toBe(1);
  const named = [...output.matchAll(/^ {2}- (\w+): /gm)].map((match) => match[1]).sort();
  expect(named).toEqual(
    ["DATABASE_URL", "PARLEY_PORT", "PARLEY_PROT", "PARLEY_PUBLIC_URL", "PARLEY_ROLES", "PARLEY_SECRET"].sort(),
  );
  expect(output).toContain("PARLEY_PROT: there is no such setting");
  expect(output).not.toMatch(/hunter2|too-short| {4}at /);
  expect(existsSync(scene.dataDir)).toBe(false);
});

test("a missing settings file is named", async () => {
  const { code, output } = await scene.refuse({ env: { PARLEY_SETTINGS_FILE: join(scene.folder, "missing.env") } });
  expect(code).toBe(1);
  expect(output).toContain(`${join(scene.folder, "missing.env")} does not exist`);
});

test("a typo in the settings file is reported as one", async () => {
  const file = join(scene.folder, "typo.env");
  writeFileSync(file, "PARLEY_HOTS=0.0.0.0\n");
  const { code, output } = await scene.refuse({ env: { PARLEY_SETTINGS_FILE: file } });
  expect(code).toBe(1);
  expect(output).toContain("PARLEY_HOTS: there is no such setting");
});

test("the settings file is read, and the environment takes precedence", async () => {
  const inFile = await freePort();
  let port = inFile;
  while (port === inFile) port = await freePort();
  const file = join(scene.folder, "good.env");
  writeFileSync(file, `# comments are welcome\nPARLEY_PORT=${inFile}\nPARLEY_OPERATOR_TOKEN="${TOKEN}"\n`);
  const service = await scene.start({ port, env: { PARLEY_SETTINGS_FILE: file } });
  expect(service.url).toBe(`http://127.0.0.1:${port}`);
  await expect(fetch(`http://127.0.0.1:${inFile}/healthz`)).rejects.toThrow();
  expect((await ask(service.url, "/metrics", { key: TOKEN })).status).toBe(200);
  await service.end("SIGINT");
});
