import { existsSync, statSync } from "node:fs";
import type { EmbeddedLayout } from "./embedded-layout.ts";
import { findBarrier, findUnprivilegedIdentity, type Identity } from "./unprivileged-identity.ts";

/**
 * The account PostgreSQL runs as: undefined means our own. A cluster that an ordinary account made keeps its owner when
 * root starts the service once, so that this account can continue afterwards.
 */
export function chooseIdentity(layout: EmbeddedLayout): Identity | undefined {
  if (!isRoot()) return undefined;
  const owner = existsSync(layout.cluster) ? statSync(layout.cluster) : undefined;
  const identity =
    owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : findUnprivilegedIdentity();
  refuseUnreachable(layout.root, identity);
  return identity;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function refuseUnreachable(path: string, identity: Identity): void {
  const barrier = findBarrier(path, identity);
  if (barrier === undefined) return;
  const mode = (statSync(barrier).mode & 0o7777).toString(8).padStart(4, "0");
  throw new Error(
    `PostgreSQL cannot run as root, so the embedded one runs as uid ${identity.uid} (normally \`nobody\`), which cannot reach the data folder ${path}: ` +
      `${barrier} has mode ${mode}. Set PARLEY_DATA_DIR to a folder that \`nobody\` can reach, for example /var/lib/parley, ` +
      "or start the service as an ordinary account, or set DATABASE_URL to use your own PostgreSQL.",
  );
}
