import type { Settings } from "../../platform/config/settings.ts";
import { runCommandLine, type Terminal } from "../command-line.ts";

export interface TypedCommand {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in a simulated terminal that records its output. Questions are answered only by the test. */
export async function typeCommand(
  argv: readonly string[],
  readSettings: () => Settings,
  terminal: Partial<Omit<Terminal, "out" | "err">> = {},
): Promise<TypedCommand> {
  let out = "";
  let err = "";
  const code = await runCommandLine(
    argv,
    {
      interrupted: new AbortController().signal,
      ...terminal,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    },
    readSettings,
  );
  return { code, out, err };
}
