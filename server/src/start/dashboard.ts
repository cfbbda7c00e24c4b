import { join, resolve } from "node:path";
import type { Settings } from "../platform/config/settings.ts";
import { buildIfStale, builtAheadFolder, runVite } from "../platform/dashboard-assets/build-if-stale.ts";
import { createDashboardPages, type DashboardState, loadAssets } from "../platform/dashboard-assets/serve-assets.ts";
import type { Pages } from "../platform/http/pages.ts";
import type { Log } from "../platform/telemetry/log.ts";

export interface Dashboard {
  readonly pages: Pages;
  readonly isReady: () => boolean;
  /** Prepares it in the background, building it when its sources are newer. The API does not wait for it. */
  start(): void;
  stop(): Promise<void>;
}

const REPOSITORY = resolve(import.meta.dirname, "../../..");

/** Attaches the dashboard to the service. Whatever happens to it, the API keeps running. */
export function joinDashboard(
  settings: Pick<Settings, "dashboard" | "dataDir">,
  log: Log,
  cookieName: () => string,
): Dashboard {
  let state: DashboardState = settings.dashboard === "on" ? { kind: "building" } : { kind: "off" };
  let preparing: Promise<void> = Promise.resolve();
  const stopping = new AbortController();

  async function prepare(): Promise<void> {
    const startedMs = performance.now();
    try {
      const { folder, wasBuilt } = await buildIfStale({
        repository: REPOSITORY,
        aheadFolder: builtAheadFolder(REPOSITORY),
        builtFolder: join(settings.dataDir, "dashboard"),
        build: (outFolder) => runVite(REPOSITORY, outFolder, stopping.signal),
      });
      state = { kind: "ready", assets: await loadAssets(folder) };
      log.info({ wasBuilt, tookMs: Math.round(performance.now() - startedMs) }, "dashboard is ready");
    } catch (error) {
      if (stopping.signal.aborted) return;
      state = { kind: "failed" };
      log.warn({ reason: (error as Error).message }, "dashboard build failed; the API works without it");
    }
  }

  return {
    pages: createDashboardPages(() => state, cookieName),
    isReady: () => state.kind === "ready",
    start() {
      if (state.kind === "building") preparing = prepare();
    },
    async stop() {
      stopping.abort();
      await preparing;
    },
  };
}
