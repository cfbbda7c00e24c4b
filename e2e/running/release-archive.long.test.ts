import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { placeCall, untilPhase } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { shellPath, startNpm } from "../harness/npm-process.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun, waitUntilReady } from "../harness/service-process.ts";

const WITHIN_MS = 600_000;

let scene: Scene;
afterAll(() => scene?.close());

function run(cwd: string, program: string, ...args: string[]): void {
  const env = { PATH: shellPath(), HOME: process.env["HOME"] ?? "/" };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
}

test(
  "the archive of a release is installed without development packages, holds a conversation and has a dashboard",
  async () => {
    scene = await Scene.open("none");
    const archive = join(scene.folder, "parley.tar.gz");
    run(REPOSITORY, "npm", "run", "release", "--", "archive", archive);
    run(scene.folder, "tar", "--extract", `--file=${archive}`);
    const [name = ""] = readdirSync(scene.folder).filter((entry) => entry.startsWith("parley-"));
    const installation = join(scene.folder, name);
    // What `npm ci` of this checkout downloaded is in npm's cache.
    run(installation, "npm", "ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund");
    expect(existsSync(join(installation, "node_modules/vite"))).toBe(false);

    const port = await freePort();
    const service = startNpm({ cwd: installation, port, env: { PARLEY_PORT: String(port) } });
    await waitUntilReady(service, 120_000);
    const caller = { url: service.url, ...(await readFirstRun(service)) };
    const call = await untilPhase(caller, await placeCall(caller, "+15550100001"), "ended", 240_000);
    expect(call).toMatchObject({ status: "completed", incidents: [] });
    const transcript = await ask(service.url, `/api/v1/calls/${call.id}/transcript`, { key: caller.key });
    const speakers = new Set(transcript.body.data.items.flatMap(({ role }: { role?: string }) => role ?? []));
    expect(speakers).toEqual(new Set(["agent", "callee"]));

    const output = await until(
      async () => service.output(),
      (printed) => printed.includes("dashboard is ready"),
      60_000,
    );
    expect(output).toMatch(/"wasBuilt":false.*"dashboard is ready"/);
    expect((await ask(service.url, "/", { headers: { accept: "text/html" } })).status).toBe(200);
    await service.end();
  },
  WITHIN_MS,
);
