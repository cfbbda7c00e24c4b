import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Installs a third-party program into its own folder, with its own lockfile; it is not part of the project. */
export function installPeer(name: string): string {
  const folder = fileURLToPath(new URL(`../peers/${name}`, import.meta.url));
  if (existsSync(`${folder}/node_modules`)) return folder;
  if (!existsSync(`${folder}/package-lock.json`))
    throw new Error(
      `${folder} has no package-lock.json; run \`npm install --package-lock-only\` there once, and keep it`,
    );
  console.log(`Installing into ${folder}`);
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  return folder;
}
