import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";

/** Writes the tarball of a folder that is ready to be published, and returns its path. */
export async function npmPack(folder: string, outDir: string): Promise<string> {
  await mkdir(outDir, { recursive: true });
  const { stdout } = await promisify(execFile)(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", resolve(outDir)],
    { cwd: folder },
  );
  const [packed] = Object.values(JSON.parse(stdout)) as { readonly filename: string }[];
  return join(resolve(outDir), basename(packed?.filename ?? ""));
}
