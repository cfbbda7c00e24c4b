import { cp, mkdir } from "node:fs/promises";
import { getPriority } from "node:os";
import { basename, join } from "node:path";
import { buildIfStale, builtAheadFolder, runVite } from "@parley/server/platform/dashboard-assets/build-if-stale";
import { waitForExclusiveLock } from "@parley/server/platform/database/embedded/file-lock";
import { REPOSITORY } from "../harness/service-process.ts";

/** Kept from one test to the next, like Node's compile cache. */
const CACHE = join(REPOSITORY, "node_modules/.cache");
const BUILD_WITHIN_MS = 110_000;

/** Puts the built dashboard into a data folder, so that not every service that a test starts builds its own. */
export function giveBuiltDashboard(dataDir: string): Promise<void> {
  return copyBuiltDashboard(join(dataDir, "dashboard"));
}

/** Puts the dashboard into a checkout as `npm run build` does. */
export function giveDashboardBuiltAhead(checkout: string): Promise<void> {
  return copyBuiltDashboard(builtAheadFolder(checkout));
}

/** Test files that begin together wait for the first of them to build it. */
async function copyBuiltDashboard(target: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const release = await waitForExclusiveLock(join(CACHE, "parley-dashboard.lock"), { timeoutMs: BUILD_WITHIN_MS });
  if (release === undefined) throw new Error(`the dashboard was not built by others within ${BUILD_WITHIN_MS} ms`);
  try {
    const { folder } = await buildIfStale({
      repository: REPOSITORY,
      builtFolder: join(CACHE, "parley-dashboard"),
      // At the priority of the tests: they all wait for it.
      build: (outFolder) => runVite(REPOSITORY, outFolder, new AbortController().signal, getPriority()),
    });
    await cp(folder, join(target, basename(folder)), { recursive: true });
  } finally {
    release();
  }
}
