import { Parley } from "@parley/sdk";
import { readConfig } from "./config.ts";
import { CommandError, EXIT } from "./exit-codes.ts";

/** What the program uses of its process. */
export interface CommandIo {
  out(text: string): void;
  bytes(bytes: Uint8Array): Promise<void>;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** Aborted when the program is asked to stop. */
  readonly signal: AbortSignal;
}

/** The options of every command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly profile?: string;
  readonly url?: string;
}

/** Where the service is and with which key, from the options, the environment and the configuration file, in this order. */
export interface Account {
  readonly url: string;
  readonly key: string;
}

export async function findAccount(io: CommandIo, options: GlobalOptions): Promise<Account> {
  const config = await readConfig(io.env);
  const name = options.profile ?? io.env["PARLEY_PROFILE"] ?? config.current;
  const profile = config.profiles[name];
  if (options.profile !== undefined && profile === undefined) {
    throw new CommandError(
      EXIT.signedOut,
      `There is no profile ${options.profile}. Run: parley login --profile ${name}`,
    );
  }
  // A profile that is named counts more than the environment.
  const named = options.profile === undefined ? undefined : profile;
  const url = options.url ?? named?.url ?? io.env["PARLEY_URL"] ?? profile?.url;
  const key = named?.key ?? io.env["PARLEY_API_KEY"] ?? profile?.key;
  if (url === undefined || key === undefined) {
    throw new CommandError(
      EXIT.signedOut,
      "You are not signed in. Run: parley login --url https://your-service.example",
    );
  }
  // A key belongs to one service: it is never sent to another.
  if (
    key === profile?.key &&
    options.url !== undefined &&
    new URL(options.url).origin !== new URL(profile.url).origin
  ) {
    throw new CommandError(
      EXIT.usage,
      `The key of this profile is for ${profile.url}. Set PARLEY_API_KEY for another service.`,
    );
  }
  return { url: url.replace(/\/+$/, ""), key };
}

export async function openClient(io: CommandIo, options: GlobalOptions): Promise<Parley> {
  return clientOf(await findAccount(io, options));
}

export function clientOf({ url, key }: Account): Parley {
  return new Parley({ baseUrl: url, apiKey: key, headers: { "user-agent": "parley-cli" } });
}
