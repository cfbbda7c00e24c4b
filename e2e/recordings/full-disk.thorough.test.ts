import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, untilPhase } from "../harness/calls.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const LISTENER = { answerAfterMs: 0, script: [{ waitMs: 6_000 }, { hangUp: true }] };
const ROOM_BYTES = 64 * 1024;

let scene: Scene;
let service: ServiceProcess;
let caller: Caller;
let folder: string;
let isMounted = false;

beforeAll(async () => {
  scene = await Scene.open();
  service = await scene.start({ env: { PARLEY_CONVERSATION_THREADS: "1" } });
  caller = { url: service.url, ...(await readFirstRun(service)) };
  folder = join(scene.dataDir, "recordings");
}, 120_000);
afterAll(async () => {
  if (isMounted) execFileSync("umount", ["-l", folder]);
  await scene?.close();
});

/** A full disk if this process may mount one; otherwise a path where no folder can be created. */
async function spoilDisk(): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${ROOM_BYTES}`, "tmpfs", folder], { stdio: "ignore" });
    isMounted = true;
    await chmod(folder, 0o700);
    // It is filled to the last byte, and then refuses.
    await writeFile(join(folder, "filler"), Buffer.alloc(2 * ROOM_BYTES)).catch(() => undefined);
    return "There is no space left on the disk.";
  } catch {
    await rm(folder, { recursive: true });
    await writeFile(folder, "");
    return "The file could not be written";
  }
}

async function healDisk(): Promise<void> {
  if (isMounted) execFileSync("umount", ["-l", folder]);
  isMounted = false;
  await rm(folder, { recursive: true, force: true });
}

const hold = async () => {
  const id = await placeCall(caller, "+15550100001", { simulation: LISTENER });
  await untilPhase(caller, id, "talking", 90_000);
  return until(
    () => getCall(caller, id),
    ({ phase, recording }) => phase === "ended" && recording?.status !== "recording",
    90_000,
  );
};

test("a call whose recording finds no space continues to its end and says why, and the next is recorded again", async () => {
  const reason = await spoilDisk();
  const call = await hold();
  expect(call).toMatchObject({ status: "completed", endReason: "callee_hangup" });
  expect(call.recording).toMatchObject({
    status: "failed",
    durationSeconds: null,
    reason: expect.stringContaining(reason),
  });
  expect(call.transcript).toMatchObject({ status: "ready" });
  await healDisk();
  const next = await hold();
  expect(next).toMatchObject({ status: "completed", recording: { status: "ready", partial: false } });
}, 300_000);
