import { getPriority } from "node:os";
import {
  type BuiltDashboard,
  buildIfStale,
  builtAheadFolder,
  runVite,
} from "@parley/server/platform/dashboard-assets/build-if-stale";

/** Builds the dashboard ahead, so that an installation without development dependencies has it. */
export function buildDashboard(repository: string): Promise<BuiltDashboard> {
  return buildIfStale({
    repository,
    builtFolder: builtAheadFolder(repository),
    build: (outFolder) => runVite(repository, outFolder, new AbortController().signal, getPriority()),
  });
}
