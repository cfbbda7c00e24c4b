import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

interface Profile {
  readonly url: string;
  readonly key: string;
}

interface Config {
  /** The profile that is used unless another is named. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_PROFILE = "default";

function configPath(env: Environment): string {
  const folder = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  return env["PARLEY_CONFIG"] || join(folder, "parley", "config.json");
}

export async function readConfig(env: Environment): Promise<Config> {
  const path = configPath(env);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { current: DEFAULT_PROFILE, profiles: {} };
    throw error;
  }
  try {
    const { current = DEFAULT_PROFILE, profiles = {} } = JSON.parse(text) as Partial<Config>;
    return { current, profiles };
  } catch (error) {
    throw new Error(`${path} is not valid JSON; repair or delete it.`, { cause: error });
  }
}

/** It holds keys: only its owner may read it, and an interrupted write leaves the old one. */
export async function writeConfig(env: Environment, config: Config): Promise<string> {
  const path = configPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  // The mode of writeFile is for new files only, and is reduced by the umask.
  await chmod(draft, 0o600);
  await rename(draft, path);
  return path;
}
