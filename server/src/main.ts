import { readSettings, SettingsError } from "./config/read-settings.ts";
import { StartError } from "./processes/api.ts";
import { printWelcome } from "./processes/first-run.ts";
import { startService } from "./processes/service.ts";
import { createLog } from "./telemetry/log.ts";

const SIGINT_PATIENCE_MS = 10_000;

/** Starts the service and stops it on a signal: SIGTERM waits for calls to end, SIGINT for ten seconds, a second one not at all. */
async function main(): Promise<void> {
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  const service = await startService(settings, log);
  printWelcome(service.url, service.firstRun);

  let isStopping = false;
  const stop = (signal: NodeJS.Signals, patienceMs: number) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    service.stop(patienceMs).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, "stopping failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", () => stop("SIGINT", SIGINT_PATIENCE_MS));
  process.on("SIGTERM", () => stop("SIGTERM", Number.POSITIVE_INFINITY));
}

main().catch((error: unknown) => {
  const isExpected = error instanceof SettingsError || error instanceof StartError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
