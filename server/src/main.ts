import { readSettings, SettingsError } from "./platform/config/read-settings.ts";
import { createLog } from "./platform/telemetry/log.ts";
import { printGreeting } from "./start/first-run.ts";
import { StartError } from "./start/start-error.ts";
import { startService } from "./start/start-service.ts";
import { stopOnSignal, surviveLostOutput } from "./start/stop-on-signal.ts";

/** Starts the service, reports it on the terminal, and stops on signals. */
async function main(): Promise<void> {
  surviveLostOutput();
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  const starting = startService(settings, log).then((service) => {
    printGreeting(service.url, service.greeting);
    return service;
  });
  stopOnSignal(starting, log);
  await starting;
}

main().catch((error: unknown) => {
  const isExpected = error instanceof SettingsError || error instanceof StartError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
