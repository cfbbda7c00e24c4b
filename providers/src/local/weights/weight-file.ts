import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A file of weights inside an installed package. Packages are pinned, and the file is verified by its digest. */
export interface WeightFile {
  readonly packageName: string;
  /** Its path in the package. */
  readonly path: string;
  readonly sha256: string;
}

const require = createRequire(import.meta.url);

/** Reads weights and rejects any file with another digest. */
export async function readWeights(file: WeightFile): Promise<Uint8Array> {
  const bytes = await readFile(join(packageFolder(file.packageName), file.path));
  const digest = createHash("sha256").update(bytes).digest("hex");
  if (digest !== file.sha256) {
    throw new Error(`${file.packageName}/${file.path} is not the file this release knows; run npm ci again`);
  }
  return bytes;
}

/** Packages that do not export their package.json still have their name in the path of whatever is found first. */
function packageFolder(packageName: string): string {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    try {
      return dirname(require.resolve(join(folder, packageName, "package.json")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new Error(`${packageName} is not installed; run npm ci again`);
}
