import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** How this service reaches its embedded PostgreSQL. */
export interface ConnectionDetails {
  readonly port: number;
  readonly password: string;
}

export const databaseName = "parley";
export const roleName = "parley";

export function readConnectionFile(path: string): ConnectionDetails {
  let details: unknown;
  try {
    details = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(
      `Cannot read ${path}, which holds the port and password of the embedded PostgreSQL. Restore it from a backup, or start the service as the account that made it.`,
      { cause: error },
    );
  }
  if (!isConnectionDetails(details)) throw new Error(`${path} does not hold a port and a password.`);
  return details;
}

function isConnectionDetails(value: unknown): value is ConnectionDetails {
  if (typeof value !== "object" || value === null) return false;
  const { port, password } = value as { port?: unknown; password?: unknown };
  return Number.isInteger(port) && typeof password === "string" && password !== "";
}

/** Replaces the file in one step and leaves it with the owner of its folder, which is the account that runs the service. */
export function writeConnectionFile(path: string, details: ConnectionDetails): void {
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, `${JSON.stringify(details)}\n`, { mode: 0o600, flush: true });
  const folder = statSync(dirname(path));
  if (process.getuid?.() === 0) chownSync(unfinished, folder.uid, folder.gid);
  renameSync(unfinished, path);
}

export function connectionUrl(details: ConnectionDetails, database = databaseName): string {
  return `postgres://${roleName}:${details.password}@127.0.0.1:${details.port}/${database}`;
}
