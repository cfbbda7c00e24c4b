import { readSettings, SettingsError } from "./config/read-settings.ts";
import { printGreeting } from "./processes/first-run.ts";
import { StartError } from "./processes/start-error.ts";
import { startService } from "./processes/start-service.ts";
import { stopOnSignal } from "./processes/stop-on-signal.ts";
import { surviveLostOutput } from "./processes/survive-lost-output.ts";
import { createLog } from "./telemetry/log.ts";

/** Starts the service, tells the person at the terminal, and leaves the stopping to signals. */
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
