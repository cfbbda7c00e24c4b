import { spawn } from "node:child_process";
import { once } from "node:events";
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

async function runExample(...args: string[]) {
  const child = spawn("sh", ["examples/curl/place-call.sh", ...args], {
    cwd: REPOSITORY,
    env: { PATH: process.env["PATH"], PARLEY_URL: service.url, PARLEY_API_KEY: key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, complained, lines: printed.trim().split("\n") };
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
