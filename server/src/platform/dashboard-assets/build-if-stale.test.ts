import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildIfStale, builtAheadFolder } from "./build-if-stale.ts";

let repository: string;
let builds: string[];

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(repository, path)), { recursive: true });
  await writeFile(join(repository, path), text);
};
const prepare = (build = buildPage) =>
  buildIfStale({
    repository,
    aheadFolder: builtAheadFolder(repository),
    builtFolder: join(repository, "data/dashboard"),
    build,
  });
const buildAhead = () => buildIfStale({ repository, builtFolder: builtAheadFolder(repository), build: buildPage });

async function buildPage(outFolder: string): Promise<void> {
  builds.push(outFolder);
  await mkdir(outFolder, { recursive: true });
  await writeFile(join(outFolder, "index.html"), "<!doctype html>");
}

beforeEach(async () => {
  repository = await mkdtemp(join(tmpdir(), "parley-dashboard-"));
  builds = [];
  for (const path of [
    "dashboard/build/first-paint.ts",
    "dashboard/index.html",
    "dashboard/package.json",
    "dashboard/public/icon.svg",
    "dashboard/src/app/main.ts",
    "dashboard/tsconfig.json",
    "dashboard/vite.config.ts",
    "contract/src/calls.ts",
    "flow/src/compile.ts",
    "package-lock.json",
    "tsconfig.json",
  ])
    await write(path, path);
});
afterEach(() => rm(repository, { recursive: true }));

test("a start after which nothing changed builds nothing", async () => {
  const first = await prepare();
  expect(first.wasBuilt).toBe(true);
  expect(await prepare()).toEqual({ folder: first.folder, wasBuilt: false });
  expect(builds).toHaveLength(1);
});

test.each([
  ["a page", "dashboard/src/app/main.ts"],
  ["a new file", "dashboard/src/app/more.tsx"],
  ["a picture", "dashboard/public/icon.svg"],
  ["the contract", "contract/src/calls.ts"],
  ["a check of flows", "flow/src/compile.ts"],
  ["a package", "package-lock.json"],
])("a start after %s changed rebuilds it and deletes the old one", async (_what, path) => {
  const first = await prepare();
  await write(path, "changed");
  const second = await prepare();
  expect(second.wasBuilt).toBe(true);
  expect(existsSync(join(second.folder, "index.html"))).toBe(true);
  expect(existsSync(first.folder)).toBe(false);
});

test("a start on sources that were built ahead builds nothing and writes nothing", async () => {
  const ahead = await buildAhead();
  expect(await prepare()).toEqual({ folder: ahead.folder, wasBuilt: false });
  expect(builds).toHaveLength(1);
  expect(existsSync(join(repository, "data"))).toBe(false);
});

test("a dashboard that was built ahead from other sources is not served", async () => {
  const ahead = await buildAhead();
  await write("dashboard/src/app/main.ts", "changed");
  const { folder, wasBuilt } = await prepare();
  expect([folder === ahead.folder, wasBuilt]).toEqual([false, true]);
  expect(existsSync(ahead.folder)).toBe(true);
});

test("a build that fails says why, leaves nothing half-built, and is tried again by the next start", async () => {
  const failing = async (outFolder: string) => {
    await buildPage(outFolder);
    throw new Error("the build ended with 1: no such import");
  };
  await expect(prepare(failing)).rejects.toThrow("no such import");
  expect(await readdir(join(repository, "data/dashboard"))).toEqual([]);
  expect((await prepare()).wasBuilt).toBe(true);
});

test("two processes that build concurrently end up with the same build", async () => {
  const { folder } = await prepare(async (outFolder) => {
    await buildPage(outFolder);
    // The other one is done first.
    const place = outFolder.replace(/\.\d+\.unfinished$/, "");
    await mkdir(place);
    await writeFile(join(place, "index.html"), "theirs");
  });
  expect(existsSync(join(folder, "index.html"))).toBe(true);
  expect(await readdir(join(repository, "data/dashboard"))).toHaveLength(1);
});
