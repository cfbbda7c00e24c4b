import { EXIT_INTERRUPTED, runCommandLine } from "./cli/command-line.ts";
import { readSecret } from "./cli/read-secret.ts";
import { readSettings, readVariable } from "./platform/config/read-settings.ts";

/** The operator's command line: `npm run parley -- COMMAND`. */
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => interruption.abort());
}
// The reader of the output may stop before its end, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const terminal = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  readSecret: () =>
    readSecret(
      process.stdin,
      (text) => void process.stderr.write(text),
      () => interruption.abort(),
    ),
  readVariable: (name: string) => readVariable(name),
  interrupted: interruption.signal,
};
process.exitCode = await runCommandLine(process.argv.slice(2), terminal, () =>
  readSettings(undefined, undefined, "command"),
);
// Abandoned work may still hold a connection.
if (process.exitCode === EXIT_INTERRUPTED) process.exit();
