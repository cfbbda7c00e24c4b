import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { buildIfStale, runVite } from "@parley/server/platform/dashboard-assets/build-if-stale";
import { REPOSITORY } from "../harness/service-process.ts";

/** Kept from one test to the next, as what Node compiled is. */
const KEPT = join(REPOSITORY, "node_modules/.cache/parley-dashboard");

/** Puts the built dashboard into a data folder, so that not every service that a test starts builds its own. */
export async function giveBuiltDashboard(dataDir: string): Promise<void> {
  const { folder } = await buildIfStale({
    repository: REPOSITORY,
    builtFolder: KEPT,
    build: (outFolder) => runVite(REPOSITORY, outFolder, new AbortController().signal),
  });
  await cp(folder, join(dataDir, "dashboard", basename(folder)), { recursive: true });
}
