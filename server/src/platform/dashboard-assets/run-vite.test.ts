import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runVite } from "./build-if-stale.ts";

/** A program in place of the bundler, controlled by the name of the output folder. */
const PROGRAM = `
const out = process.argv[process.argv.indexOf("--outDir") + 1];
if (out.endsWith("fails")) { console.error("Could not resolve ./missing.tsx"); process.exit(1); }
if (out.endsWith("hangs")) setInterval(() => undefined, 1000);
`;
let repository: string;

beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), "parley-vite-"));
  const vite = join(repository, "node_modules/vite");
  await mkdir(join(vite, "bin"), { recursive: true });
  await mkdir(join(repository, "dashboard"));
  await writeFile(join(vite, "package.json"), JSON.stringify({ name: "vite", version: "0.0.0" }));
  await writeFile(join(vite, "bin/vite.js"), PROGRAM);
});
afterAll(() => rm(repository, { recursive: true }));

test("a build that ends well is one", async () => {
  await expect(runVite(repository, "/out/works", new AbortController().signal)).resolves.toBeUndefined();
});

test("a failed build reports the reason it printed", async () => {
  await expect(runVite(repository, "/out/fails", new AbortController().signal)).rejects.toThrow(
    "the build ended with 1: Could not resolve ./missing.tsx",
  );
});

test("a service that stops does not wait for a build", async () => {
  await expect(runVite(repository, "/out/hangs", AbortSignal.timeout(300))).rejects.toThrow(/abort/i);
});

test("an installation without development dependencies reports how it gets its dashboard", async () => {
  await expect(runVite("/nowhere", "/out/works", new AbortController().signal)).rejects.toThrow(/npm run build/);
});
