import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../../harness/api-client.ts";
import { placeCall, untilPhase } from "../../harness/calls.ts";
import { freePort } from "../../harness/free-port.ts";
import { Scene } from "../../harness/scene.ts";
import { readFirstRun, type ServiceProcess, waitUntilReady } from "../../harness/service-process.ts";
import { type BuiltImage, buildImage } from "./build-image.ts";

const BUILD_WITHIN_MS = 1_800_000;
const UID = 10_001;

let scene: Scene;
let image: BuiltImage;
let service: ServiceProcess;

beforeAll(async () => {
  scene = await Scene.open("none");
  image = buildImage(scene.folder);
  console.log(`the image has ${Math.round(image.bytes / 1e6)} MB`);
}, BUILD_WITHIN_MS);
afterAll(async () => {
  if (service?.child.exitCode === null) await service.end();
  image?.remove();
  await scene?.close();
});

/** Runs a command as a container does: the image read-only, its own user, no privilege, two places to write to. */
function inContainer(command: readonly string[], env: Readonly<Record<string, string>>): readonly string[] {
  const { User, Env, WorkingDir } = image.config;
  const [uid = "", gid = ""] = User.split(":");
  const variables = { ...Object.fromEntries(Env.map((pair) => pair.split("=") as [string, string])), ...env };
  const set = Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]);
  const mounts = [
    "--ro-bind",
    image.root,
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--perms",
    "1777",
    "--tmpfs",
    "/tmp",
  ];
  const data = ["--bind", scene.dataDir, "/var/lib/parley"];
  const asUser = [
    "setpriv",
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--no-new-privs",
    "--bounding-set=-all",
  ];
  return [...mounts, ...data, "--clearenv", ...set, "--chdir", WorkingDir, "--", ...asUser, "--", ...command];
}

async function start(): Promise<void> {
  mkdirSync(scene.dataDir, { mode: 0o711, recursive: true });
  chownSync(scene.dataDir, UID, UID);
  const port = await freePort();
  const healthPort = await freePort();
  const env = { PARLEY_PORT: String(port), PARLEY_HEALTH_PORT: String(healthPort) };
  const command = inContainer([...image.config.Entrypoint, ...image.config.Cmd], env);
  const child = spawn("bwrap", command, { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  service = {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    child,
    output: () => printed,
    async end(signal = "SIGTERM") {
      const exited = once(child, "exit");
      // The program itself is the only child of what prepared its place.
      const program = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
      process.kill(Number(program), signal);
      const [code, by] = (await exited) as [number | null, NodeJS.Signals | null];
      return { code, signal: by };
    },
  };
  await waitUntilReady(service, 120_000);
  const isHealthy = (settings: Readonly<Record<string, string>>) =>
    spawnSync("bwrap", inContainer(image.config.Healthcheck.Test.slice(1), settings)).status === 0;
  expect([isHealthy(env), isHealthy({ PARLEY_HEALTH_PORT: "9" })]).toEqual([true, false]);
}

test("the image runs read-only, as an ordinary user, holds a conversation and serves the dashboard that is built in and the documentation", async () => {
  await start();
  const caller = { url: service.url, ...(await readFirstRun(service)) };
  const call = await untilPhase(caller, await placeCall(caller, "+15550100001"), "ended", 240_000);
  expect(call).toMatchObject({ status: "completed", incidents: [] });
  expect(service.output()).toMatch(/"wasBuilt":false.*"dashboard is ready"/);
  expect((await ask(service.url, "/", { headers: { accept: "text/html" } })).status).toBe(200);
  for (const path of ["/docs", "/docs/guides/dashboard", "/docs/api", "/docs/changelog"]) {
    expect((await ask(service.url, path, { headers: { accept: "text/html" } })).status, path).toBe(200);
  }
  expect(await service.end()).toMatchObject({ code: 0 });
  expect(service.output()).toContain('"msg":"stopped"');
  expect(service.output()).not.toMatch(/EROFS|EACCES|telemetry/);
}, 600_000);

test("nothing of development is in it", () => {
  for (const path of ["e2e", "node_modules/vite", "node_modules/vitest", "parley.env", ".git"]) {
    expect(existsSync(join(image.root, "opt/parley", path)), path).toBe(false);
  }
});
