import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

let scene: Scene;
let service: ServiceProcess;
let key: string;
let agentId: string;

beforeAll(async () => {
  scene = await Scene.open();
  service = await scene.start();
  ({ key, agentId } = await readFirstRun(service));
});
afterAll(() => scene?.close());

async function runShell(args: string[], cwd: string, env: Record<string, string>) {
  const child = spawn("sh", args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, complained, printed, lines: printed.trim().split("\n") };
}

const runExample = (...args: string[]) =>
  runShell(["examples/curl/place-call.sh", ...args], REPOSITORY, { PARLEY_URL: service.url, PARLEY_API_KEY: key });

/** Runs the shell block of the README that contains `part`, with the address of this service and a real agent id filled in. */
async function runReadmeBlock(part: string) {
  const readme = readFileSync(join(REPOSITORY, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  const [block = "", ...others] = blocks.filter((candidate) => candidate.includes(part));
  expect(block).not.toBe("");
  expect(others).toEqual([]);
  const script = block
    .replaceAll("http://127.0.0.1:3000", service.url)
    .replaceAll("agt_...", agentId)
    .replaceAll("curl ", "curl --silent --show-error --fail-with-body ");
  const result = await runShell(["-e", "-c", script], scene.dataDir, { API_KEY: key });
  expect(result).toMatchObject({ code: 0, complained: "" });
  return result.printed;
}

test("the curl example places a call with the three given fields and follows it to its end", async () => {
  const { code, complained, lines } = await runExample("+15550100001", agentId);
  expect(complained).toBe("");
  expect(lines[0]).toMatch(/^call_[0-9a-z]{26} initiated$/);
  expect(lines.slice(1, -1)).toEqual([
    "call.initiated",
    "call.dialing",
    "call.ringing",
    "call.early_media",
    "call.in_progress",
    "call.completed",
  ]);
  expect(lines.at(-1)).toMatch(/^call_[0-9a-z]{26} completed$/);
  expect(code).toBe(0);
});

test("the curl example shows why a call was refused, and fails", async () => {
  const { code, complained } = await runExample("12345", agentId);
  expect(complained).toContain("validation_failed");
  expect(code).toBe(1);
});

test("the commands of the README place a call and register a webhook as printed", async () => {
  const placed = JSON.parse(await runReadmeBlock("/api/v1/calls \\"));
  expect(placed).toMatchObject({
    success: true,
    data: { status: "initiated", phoneNumber: "+15550100001", agentId, engine: "local" },
  });
  const registered = JSON.parse(await runReadmeBlock("/api/v1/webhooks"));
  expect(registered.data).toMatchObject({ eventTypes: ["call.completed", "call.failed"] });
  expect(registered.data.secret).toMatch(/^whsec_/);
});
