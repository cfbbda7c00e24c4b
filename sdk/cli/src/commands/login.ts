import { hostname, userInfo } from "node:os";
import type { Command } from "commander";
import { type CommandIo, clientOf, type GlobalOptions } from "../command-context.ts";
import { DEFAULT_PROFILE, readConfig, writeConfig } from "../config.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { show } from "../output.ts";
import { ask, pause } from "../plain-requests.ts";

const DEFAULT_URL = "http://localhost:3000";

export function addLoginCommands(program: Command, io: CommandIo): void {
  program
    .command("login")
    .description("sign in: with a code that you confirm in the dashboard, or with --key")
    .option("--key <key>", "an API key; - reads it from standard input")
    .action(async (options: { key?: string }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const config = await readConfig(io.env);
      const name = globals.profile ?? DEFAULT_PROFILE;
      const url = globals.url ?? io.env["PARLEY_URL"] ?? config.profiles[name]?.url ?? DEFAULT_URL;
      if (!URL.canParse(url)) throw new CommandError(EXIT.usage, `--url must be an address, such as ${DEFAULT_URL}.`);
      const base = url.replace(/\/+$/, "");
      const key = options.key === undefined ? await confirmCode(io, globals, base) : await givenKey(options.key);
      // A key that does not work is not kept.
      const access = await clientOf({ url: base, key }).access.get({ signal: io.signal });
      const profiles = { ...config.profiles, [name]: { url: base, key } };
      const path = await writeConfig(io.env, { current: name, profiles });
      show(io, globals, { profile: name, url: base, ...access, configFile: path }, () =>
        [`Signed in to ${base} in ${access.mode} mode (profile ${name}).`, `The key is kept in ${path}.`].join("\n"),
      );
    });
  program
    .command("logout")
    .description("forget the key of a profile; it stays valid until it is revoked in the dashboard")
    .action(async (_options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const config = await readConfig(io.env);
      const name = globals.profile ?? config.current;
      const { [name]: removed, ...profiles } = config.profiles;
      if (removed === undefined) throw new CommandError(EXIT.signedOut, `There is no profile ${name}.`);
      await writeConfig(io.env, { current: name === config.current ? DEFAULT_PROFILE : config.current, profiles });
      show(io, globals, { profile: name }, () => `The key of the profile ${name} was removed from this machine.`);
    });
}

async function givenKey(given: string): Promise<string> {
  if (given !== "-") return given;
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  const key = Buffer.concat(pieces).toString().trim();
  if (key === "") throw new CommandError(EXIT.usage, "There is no key on standard input.");
  return key;
}

interface StartedSignIn {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUrl: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** RFC 8628: shows a code and asks for the key until a member has confirmed it. */
async function confirmCode(io: CommandIo, { json }: GlobalOptions, url: string): Promise<string> {
  const client = `parley of ${userInfo().username} on ${hostname()}`.slice(0, 120);
  const started = await ask<StartedSignIn>(`${url}/auth/device`, { body: { client }, signal: io.signal });
  const { deviceCode, userCode, verificationUrl, expiresInSeconds, intervalSeconds } = started;
  io.err(
    json
      ? `${JSON.stringify({ userCode, verificationUrl })}\n`
      : `Open ${verificationUrl}\nand confirm the code ${userCode}. Waiting ...\n`,
  );
  for (let waitedSeconds = 0; waitedSeconds <= expiresInSeconds; waitedSeconds += intervalSeconds) {
    const body = { deviceCode };
    const { status, key } = await ask<{ status: string; key: string | null }>(`${url}/auth/device/key`, {
      body,
      signal: io.signal,
    });
    if (status === "approved" && key !== null) return key;
    if (status === "denied") throw new CommandError(EXIT.signedOut, "It was refused in the dashboard.");
    if (status === "expired") break;
    await pause(intervalSeconds * 1000, io.signal);
  }
  throw new CommandError(EXIT.signedOut, "The code was not confirmed in time. Run parley login again.");
}
