import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { chooseDataDir } from "@parley/server/platform/config/read-settings";
import { findUnprivilegedIdentity } from "@parley/server/platform/database/embedded/unprivileged-identity";
import { afterEach, beforeEach, expect, test } from "vitest";
import { completeCall } from "../harness/calls.ts";
import { copyCheckout } from "../harness/checkout-copy.ts";
import { freePort } from "../harness/free-port.ts";
import { startNpm } from "../harness/npm-process.ts";
import { killProcesses, processesOf } from "../harness/processes-of.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, waitUntilReady } from "../harness/service-process.ts";

const isRoot = process.getuid?.() === 0;
const READY_WITHIN_MS = 60_000;

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open("none");
});
afterEach(() => scene.close());

/** Runs `npm start` in a checkout, places a call and ends it again; `look` inspects it while running. */
async function callThroughNpm(checkout: string, owner: { uid?: number; gid?: number }, look: () => void) {
  const port = await freePort();
  writeFileSync(join(checkout, "parley.env"), `PARLEY_PORT=${port}\n`);
  const service = startNpm({ cwd: checkout, port, home: checkout, ...owner });
  await waitUntilReady(service, READY_WITHIN_MS);
  await completeCall({ url: service.url, ...(await readFirstRun(service)) });
  look();
  await service.end("SIGINT");
  expect(service.output()).toContain('"msg":"stopped"');
  expect(scene.processes()).toEqual([]);
}

/** The account a process runs as. */
const ownerOf = (pid: number) => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

test("npm start works for an ordinary account, with everything in its checkout", async () => {
  const owner: { uid?: number; gid?: number } = isRoot ? findUnprivilegedIdentity() : {};
  const checkout = join(scene.folder, "checkout");
  copyCheckout(checkout, isRoot ? findUnprivilegedIdentity() : undefined);
  await callThroughNpm(checkout, owner, () => {
    const owners = new Set(scene.processes().map(({ pid }) => ownerOf(pid)));
    expect([...owners]).toEqual([owner.uid ?? process.getuid?.()]);
  });
  expect(existsSync(join(checkout, ".parley/postgres/database"))).toBe(true);
});

test("npm start works in a checkout under a home that is closed to others", async () => {
  const home = join(realpathSync(scene.folder), "home");
  mkdirSync(home, { mode: 0o700 });
  const checkout = join(home, "checkout");
  copyCheckout(checkout);
  const dataDir = chooseDataDir(undefined, checkout);
  expect(dataDir.startsWith(isRoot ? "/var/lib/parley/" : checkout)).toBe(true);
  try {
    await callThroughNpm(checkout, {}, () => {
      const postmasters = processesOf(dataDir).filter(({ command }) => command.includes("postgres -D"));
      expect(postmasters.map(({ pid }) => ownerOf(pid))).toEqual([
        isRoot ? findUnprivilegedIdentity().uid : process.getuid?.(),
      ]);
    });
    expect(existsSync(join(dataDir, "postgres/database"))).toBe(true);
    expect(existsSync(join(checkout, ".parley"))).toBe(!isRoot);
    expect(processesOf(dataDir)).toEqual([]);
  } finally {
    if (isRoot) removeDefaultFolder(dataDir);
  }
});

/** Removes the folder this test created, and its parent if nothing else is in it. */
function removeDefaultFolder(dataDir: string): void {
  killProcesses(processesOf(dataDir));
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    rmdirSync(dirname(dataDir));
  } catch (error) {
    if (!["ENOTEMPTY", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
