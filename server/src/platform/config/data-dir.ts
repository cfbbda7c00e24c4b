import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { canNobodyReach } from "../database/embedded/can-nobody-reach.ts";

const DEFAULT_NAME = ".parley";

/**
 * The one folder everything is kept in. Run by root, the embedded database runs as `nobody`, who cannot enter a
 * checkout under a private home: the default then is a folder of this checkout's own under /var/lib/parley.
 */
export function chooseDataDir(named: string | undefined, folder: string): string {
  const wanted = resolve(folder, named ?? DEFAULT_NAME);
  if (named !== undefined || process.getuid?.() !== 0 || canNobodyReach(folder)) return wanted;
  const checkout = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  return join("/var/lib/parley", checkout);
}
