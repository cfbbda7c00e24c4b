import { execFile } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type DataFolder, makeDataFolder } from "../harness/data-folder.ts";

/** A data folder on a separate disk that can be filled. */
export interface SmallDisk extends DataFolder {
  /** Leaves no space at all. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
}

const BLOCK = Buffer.alloc(1024 * 1024, 7);
const SMALLEST_BLOCK_BYTES = 512;
const run = promisify(execFile);

/** Only root may mount a disk; it is one in memory. */
export async function mountSmallDisk(sizeMib: number): Promise<SmallDisk> {
  if (process.getuid?.() !== 0)
    throw new Error("Only root can mount the small disk that is to be filled: run it as root.");
  const folder = await makeDataFolder("none");
  const ballast = join(folder.path, "ballast");
  await run("mount", ["-t", "tmpfs", "-o", `size=${sizeMib}m,mode=0711`, "parley-small-disk", folder.path]);
  return {
    path: folder.path,
    async fill() {
      const file = await open(ballast, "a");
      try {
        for (let bytes = BLOCK.length; bytes >= SMALLEST_BLOCK_BYTES; ) {
          const isFull = await file.write(BLOCK, 0, bytes).then(({ bytesWritten }) => bytesWritten < bytes, isNoSpace);
          if (isFull) bytes /= 2;
        }
      } finally {
        await file.close();
      }
    },
    makeRoom: () => rm(ballast),
    async remove() {
      await run("umount", ["--lazy", folder.path]);
      await folder.remove();
    },
  };
}

function isNoSpace(error: unknown): true {
  if ((error as NodeJS.ErrnoException).code === "ENOSPC") return true;
  throw error;
}
