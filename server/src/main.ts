import { flushCompileCache } from "node:module";
import { readSettings, SettingsError } from "./platform/config/read-settings.ts";
import type { CollectorSettings } from "./platform/config/telemetry-settings.ts";
import { createLog } from "./platform/telemetry/log.ts";
import { type Collector, noTracing } from "./platform/telemetry/tracing.ts";
import { StartError } from "./start/start-error.ts";
import { stopOnSignal, surviveLostOutput } from "./start/stop-on-signal.ts";

/** Starts the service, reports it on the terminal, and stops on signals. */
async function main(): Promise<void> {
  surviveLostOutput();
  const settings = readSettings();
  const collector = settings.telemetry.collector && (await connect(settings.telemetry.collector, settings.roles));
  const log = createLog(settings.logLevel, undefined, collector?.log);
  await stopOnSignal(async (signal) => {
    // Loading the service is most of a start; settings that are wrong are reported before.
    const { startService } = await import("./start/start-service.ts");
    const { printGreeting } = await import("./start/first-run.ts");
    const service = await startService(settings, log, { signal, tracing: collector ?? noTracing });
    printGreeting(service.url, service.greeting);
    // Node writes what it compiled only at an orderly exit, which a process that is killed never has.
    flushCompileCache();
    return {
      async stop(patienceMs) {
        await service.stop(patienceMs);
        await collector?.close();
      },
    };
  }, log);
}

/** OpenTelemetry takes a fifth of the time of a start to load, and most installations have no collector. */
async function connect(collector: CollectorSettings, roles: readonly string[]): Promise<Collector> {
  const { openCollector } = await import("./platform/telemetry/open-collector.ts");
  const { readVersion } = await import("./start/service-context.ts");
  return openCollector(collector, { version: readVersion(), roles });
}

main().catch((error: unknown) => {
  const isExpected = error instanceof SettingsError || error instanceof StartError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
