import { execFileSync } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordingFile } from "../recording-file.ts";

export interface SmallDisk {
  readonly kind: string;
  readonly folder: string;
  /** Null leaves it to the system. */
  readonly create: ((path: string) => Promise<RecordingFile>) | null;
  remove(): Promise<void>;
}

/** Folders in which files find room for so many bytes; one of the system's own among them where this process may mount it. */
export async function openSmallDisks(bytes: number): Promise<SmallDisk[]> {
  const mounted = await openMountedDisk(bytes);
  return [await openRefusingDisk(bytes), ...(mounted ? [mounted] : [])];
}

export async function openRefusingDisk(bytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), "parley-small-"));
  const remove = () => rm(folder, { recursive: true });
  return { kind: "a file that refuses", folder, create: createCounted(bytes), remove };
}

async function openMountedDisk(bytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), "parley-small-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    // Only an administrator of the machine may, and not in every container.
    await rm(folder, { recursive: true });
    return null;
  }
  return {
    kind: "a real one",
    folder,
    create: null,
    async remove() {
      execFileSync("umount", [folder], { stdio: "ignore" });
      await rm(folder, { recursive: true });
    },
  };
}

function createCounted(bytes: number): (path: string) => Promise<RecordingFile> {
  return async (path) => {
    const file = await open(path, "wx");
    return {
      async write(given, offset, length, position) {
        const room = Math.max(0, bytes - position);
        if (room === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
        return file.write(given, offset, Math.min(length, room), position);
      },
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
    };
  };
}
