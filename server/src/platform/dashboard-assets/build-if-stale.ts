import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";

export interface BuildOptions {
  /** The root of the checkout. */
  readonly repository: string;
  /** Where built dashboards are kept, each in a folder named for the sources it was made of. */
  readonly builtFolder: string;
  /** Where one may already be, under the same name. Nothing is written there. */
  readonly aheadFolder?: string;
  /** Builds into a folder that does not exist yet, or throws with the reason. */
  build(outFolder: string): Promise<void>;
}

export interface BuiltDashboard {
  readonly folder: string;
  readonly wasBuilt: boolean;
}

/**
 * Returns the folder of the dashboard for the current sources, and builds it when there is none. It is built
 * beside its place and moved there, so that a half-built one is never served and two processes do not disturb each other.
 */
export async function buildIfStale(options: BuildOptions): Promise<BuiltDashboard> {
  const { repository, builtFolder, aheadFolder, build } = options;
  const name = hashSources(repository);
  const folder = join(builtFolder, name);
  for (const kept of aheadFolder === undefined ? [folder] : [join(aheadFolder, name), folder]) {
    if (isBuilt(kept)) return { folder: kept, wasBuilt: false };
  }
  await mkdir(builtFolder, { recursive: true });
  const unfinished = join(builtFolder, `${name}.${process.pid}.unfinished`);
  try {
    await build(unfinished);
    await moveInto(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  await forgetOthers(builtFolder, name);
  return { folder, wasBuilt: true };
}

function isBuilt(folder: string): boolean {
  return existsSync(join(folder, "index.html"));
}

/** Another process may have been quicker; its build is as good as ours. */
async function moveInto(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (error) {
    if (!isBuilt(folder)) throw error;
  }
}

/** Processes that serve an older build have it in memory. Builds in progress are left alone. */
async function forgetOthers(builtFolder: string, kept: string): Promise<void> {
  for (const name of await readdir(builtFolder)) {
    if (name !== kept && !name.endsWith(".unfinished"))
      await rm(join(builtFolder, name), { recursive: true, force: true });
  }
}

/** Where `npm run build` puts the dashboard of this checkout. */
export function builtAheadFolder(repository: string): string {
  return join(repository, "dashboard/dist");
}

/** All that the built dashboard depends on. The lock file represents every package that goes into it. */
const SOURCES = [
  "dashboard/build",
  "dashboard/index.html",
  "dashboard/package.json",
  "dashboard/public",
  "dashboard/src",
  "dashboard/tsconfig.json",
  "dashboard/vite.config.ts",
  "contract/src",
  "flow/src",
  "package-lock.json",
  "tsconfig.json",
];

/** One short text for the content of the dashboard's sources: it changes when a byte or a name of them does. */
function hashSources(repository: string): string {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap((source) => listFiles(repository, source))) {
    const bytes = readFileSync(join(repository, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 24);
}

function listFiles(repository: string, path: string): string[] {
  if (!statSync(join(repository, path)).isDirectory()) return [path];
  return readdirSync(join(repository, path))
    .toSorted()
    .flatMap((name) => listFiles(repository, `${path}/${name}`));
}

/** A build takes seconds; one that takes this long hangs. */
const BUILD_WITHIN_MS = 180_000;
/** The reason is at the end of its output. */
const SHOWN_CHARS = 4000;

/**
 * Builds the dashboard in a separate process that ends afterwards: the bundler's memory is released, and at low
 * priority, the default, it takes no time from calls. Nothing is written but the output folder.
 */
export async function runVite(
  repository: string,
  outFolder: string,
  signal: AbortSignal,
  priority: number = constants.priority.PRIORITY_LOW,
): Promise<void> {
  const child = spawn(process.execPath, [viteProgram(repository), "build", "--outDir", outFolder, ...QUIETLY], {
    cwd: join(repository, "dashboard"),
    env: { NODE_ENV: "production", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(BUILD_WITHIN_MS)]),
    // Ctrl-C at a terminal reaches the service alone, which then ends the build itself.
    detached: true,
  });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  let printed = "";
  const keep = (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-SHOWN_CHARS);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  let failure: Error | null = null;
  child.on("error", (error) => {
    failure = error;
  });
  // Also a build that is cut off is waited for, so that nothing is left when the service has stopped.
  const { promise: closed, resolve } = Promise.withResolvers<number | null>();
  child.on("close", resolve);
  const code = await closed;
  if (failure) throw failure;
  if (code !== 0) throw new Error(`the build ended with ${code}: ${printed.trim()}`);
}

// The native loader imports the configuration directly; the others write a copy of it into node_modules.
const QUIETLY = ["--configLoader", "native", "--logLevel", "warn", "--emptyOutDir"];

function viteProgram(repository: string): string {
  const { resolve } = createRequire(join(repository, "dashboard/package.json"));
  try {
    return join(dirname(resolve("vite/package.json")), "bin/vite.js");
  } catch (cause) {
    throw new Error(
      "the dashboard was not built ahead from these sources, and vite, a development dependency, is not installed: " +
        "run `npm run build` where it is, and copy dashboard/dist here",
      { cause },
    );
  }
}
