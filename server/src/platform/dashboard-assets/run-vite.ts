import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";

/** A build takes seconds; one that takes this long hangs. */
const BUILD_WITHIN_MS = 180_000;
/** The end of what it printed is where the reason stands. */
const SHOWN_CHARS = 4000;

/**
 * Builds the dashboard in a process of its own that ends afterwards: the bundler's memory is given back, and at low
 * priority it takes no time from calls. Nothing is written but the output folder.
 */
export async function runVite(repository: string, outFolder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [viteProgram(repository), "build", "--outDir", outFolder, ...QUIETLY], {
    cwd: join(repository, "dashboard"),
    env: { NODE_ENV: "production", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(BUILD_WITHIN_MS)]),
    // Ctrl-C at a terminal reaches the service alone, which then ends the build itself.
    detached: true,
  });
  giveWay(child);
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

// The native loader imports the configuration as it is; the others write a copy of it into node_modules.
const QUIETLY = ["--configLoader", "native", "--logLevel", "warn", "--emptyOutDir"];

function viteProgram(repository: string): string {
  const manifest = createRequire(join(repository, "dashboard/package.json")).resolve("vite/package.json");
  return join(dirname(manifest), "bin/vite.js");
}

function giveWay({ pid }: ChildProcess): void {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
}
