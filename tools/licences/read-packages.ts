import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package that `npm ci` installs, on this machine or on another. */
export interface InstalledPackage {
  /** Its path, which also shows which package requires it. */
  readonly path: string;
  readonly name: string;
  /** As declared by the package; empty if missing. */
  readonly licence: string;
  /** Whether running the service needs it. */
  readonly isShipped: boolean;
}

interface LockEntry {
  readonly name?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly license?: unknown;
}

/** Every package of the lock file, also those for other systems. Our own workspaces are links and are left out. */
export function readPackages(root: string): InstalledPackage[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      licence: licenceOf(entry.license) || licenceOfManifest(join(root, path, "package.json")),
      isShipped: entry.dev !== true,
    }));
}

function licenceOfManifest(path: string): string {
  if (!existsSync(path)) return "";
  const manifest = JSON.parse(readFileSync(path, "utf8")) as {
    readonly license?: unknown;
    readonly licenses?: unknown;
  };
  return licenceOf(manifest.license ?? manifest.licenses);
}

/** Old manifests name an object, or a list of them to choose from. */
function licenceOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(licenceOf).filter(Boolean).join(" OR ");
  if (typeof value !== "object" || value === null || !("type" in value)) return "";
  return licenceOf(value.type);
}
