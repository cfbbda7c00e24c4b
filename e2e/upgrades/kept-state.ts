import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";

/** What is known of a kept data folder, to be found again after the upgrade. */
export interface KeptState {
  readonly key: string;
  readonly email: string;
  readonly agentId: string;
  readonly balance: string;
  readonly calls: readonly {
    readonly id: string;
    readonly status: string;
    readonly phoneNumber: string;
    readonly hasRecording: boolean;
  }[];
}

const STATES = fileURLToPath(new URL("states/", import.meta.url));
export const stateFolder = (name: string) => join(STATES, name);
export const keptStates = async () => (await readdir(STATES)).sort();
export const readKept = async (name: string): Promise<KeptState> =>
  JSON.parse(await readFile(join(stateFolder(name), "kept.json"), "utf8"));

/** Everything that belongs to an installation. The rest of a data folder is recreated by each start. */
const WORTH_KEEPING = ["secret", "recordings", "postgres/database"];
// Three databases of a cluster are nearly the same, 8 MB apart: a window that sees all of them makes the file half as big.
const WINDOW_LOG = 27;

/** Packs a data folder whose service has stopped. Owners are kept, as PostgreSQL requires its own. */
export async function packDataFolder(dataDir: string, file: string): Promise<void> {
  const parts = WORTH_KEEPING.filter((part) => existsSync(join(dataDir, part)));
  const tar = spawn("tar", ["-C", dataDir, "--numeric-owner", "--exclude=cluster/log/*", "-cf", "-", ...parts], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: WINDOW_LOG },
  });
  const exited = once(tar, "exit");
  await pipeline(tar.stdout, compress, createWriteStream(file));
  await refuseFailure(exited);
}

export async function unpackDataFolder(name: string, dataDir: string): Promise<void> {
  // To the very end of the stream: tar would otherwise close it at the first of the empty blocks it ends with.
  const tar = spawn("tar", ["-C", dataDir, "--numeric-owner", "--ignore-zeros", "-xpf", "-"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const exited = once(tar, "exit");
  await pipeline(
    createReadStream(join(stateFolder(name), "data.tar.zst")),
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } }),
    tar.stdin,
  );
  await refuseFailure(exited);
}

async function refuseFailure(exited: Promise<unknown[]>): Promise<void> {
  const [code] = await exited;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}
