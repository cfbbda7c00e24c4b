import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tryExclusiveLock, trySharedLock, waitForExclusiveLock } from "./file-lock.ts";
import { openFolder } from "./testing/embedded-scene.ts";

let folder: string;

beforeEach(() => {
  folder = openFolder();
});

afterEach(() => rmSync(folder, { recursive: true }));

it("grants the exclusive lock to one and the shared lock to many, never both", () => {
  const path = join(folder, "lock");
  const exclusive = tryExclusiveLock(path);
  expect(exclusive).toBeDefined();
  expect(tryExclusiveLock(path)).toBeUndefined();
  expect(trySharedLock(path)).toBeUndefined();
  exclusive?.();
  const shared = [trySharedLock(path), trySharedLock(path)];
  expect(shared).not.toContain(undefined);
  expect(tryExclusiveLock(path)).toBeUndefined();
  for (const release of shared) release?.();
  tryExclusiveLock(path)?.();
});

it("frees the lock of a killed process immediately", async () => {
  const path = join(folder, "lock");
  const module = JSON.stringify(new URL("file-lock.ts", import.meta.url).href);
  const script = `const { tryExclusiveLock } = await import(${module});
    tryExclusiveLock(${JSON.stringify(path)});
    setInterval(() => {}, 1000);
    console.log("held");`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(holder, "close");
  try {
    await once(holder.stdout, "data");
    expect(tryExclusiveLock(path)).toBeUndefined();
    expect(await waitForExclusiveLock(path, { timeoutMs: 50 })).toBeUndefined();
  } finally {
    holder.kill("SIGKILL");
    await ended;
  }
  const release = await waitForExclusiveLock(path, { timeoutMs: 1_000 });
  expect(release).toBeDefined();
  release?.();
});
