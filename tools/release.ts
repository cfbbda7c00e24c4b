import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { buildDashboard } from "./release/build-dashboard.ts";
import { changelogWithRelease, notesOfRelease, refuseVersion } from "./release/changelog.ts";
import { findVersionFiles, replaceVersion } from "./release/version-files.ts";

/**
 * Writes the tracked files of a checkout and the dashboard built from them into a compressed tar file. Unpacked, it is
 * installed by `npm ci --omit=dev`.
 */
function writeArchive(repository: string, builtDashboard: string, file: string, version: string): void {
  const run = (program: string, args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: repository,
      encoding: "utf8",
      input,
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
    return stdout;
  };
  const dashboard = `dashboard/dist/${basename(builtDashboard)}`;
  const built = readdirSync(builtDashboard, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replace(builtDashboard, dashboard));
  const tracked = run("git", ["ls-files", "-z"]).split("\0").filter(Boolean);
  const ownedByRoot = ["--owner=0", "--group=0", "--numeric-owner"];
  const names = ["--null", "--verbatim-files-from", "--files-from=-", `--transform=s,^,parley-${version}/,S`];
  run("tar", ["--create", "--gzip", `--file=${file}`, ...ownedByRoot, ...names], [...tracked, ...built].join("\0"));
}

// `npm run release -- 0.2.0` writes the version everywhere, dates the changelog, commits and tags. Nothing is pushed.
// `npm run release -- notes v0.2.0` prints what the changelog says about a release.
// `npm run release -- archive parley.tar.gz` writes the sources and the built dashboard into one file.

const root = resolve(import.meta.dirname, "..");
const CHANGELOG = join(root, "CHANGELOG.md");
const CHART = join(root, "deploy/helm/parley/Chart.yaml");

interface Manifest {
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) stop(`${program} ${args.join(" ")} failed:\n${stderr || stdout}`);
  return stdout.trim();
}

const readManifest = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Manifest;

/** Sets the version of the manifest and of the workspaces it depends on, which are always released together. */
function writeVersion(path: string, version: string): void {
  const manifest = readManifest(path);
  manifest.version = version;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(dependencies ?? {})) {
      if (dependencies && name.startsWith("@parley/")) dependencies[name] = version;
    }
  }
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

function writeChartVersion(version: string): void {
  const chart = readFileSync(CHART, "utf8");
  writeFileSync(CHART, chart.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
}

function release(version: string): void {
  const manifest = readManifest(join(root, "package.json"));
  const refusal = refuseVersion(version, manifest.version);
  if (refusal) stop(refusal);
  if (run("git", "status", "--porcelain") !== "") stop("Commit or remove your changes first.");
  if (run("git", "branch", "--show-current") !== "main") stop("Releases are made from main.");
  const today = new Date().toISOString().slice(0, 10);
  const changelog = changelogWithRelease(readFileSync(CHANGELOG, "utf8"), version, today);
  if (changelog === null) stop("CHANGELOG.md has nothing under Unreleased.");
  writeFileSync(CHANGELOG, changelog);
  for (const folder of [".", ...(manifest.workspaces ?? [])]) writeVersion(join(root, folder, "package.json"), version);
  writeChartVersion(version);
  for (const path of findVersionFiles(root, manifest.version)) {
    const file = join(root, path);
    writeFileSync(file, replaceVersion(readFileSync(file, "utf8"), manifest.version, version));
  }
  run("npm", "run", "sdk");
  run("npm", "run", "reference");
  run("npm", "install", "--package-lock-only");
  run("git", "commit", "--all", "--message", `chore: release ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `Parley ${version}`);
  console.log(`Tagged v${version}. Publish it with:\n\n  git push origin main v${version}\n`);
}

function printNotes(tag: string): void {
  const notes = notesOfRelease(readFileSync(CHANGELOG, "utf8"), tag.replace(/^v/, ""));
  if (notes === null) stop(`CHANGELOG.md has no release ${tag}.`);
  console.log(notes);
}

async function archive(file: string): Promise<void> {
  const { version } = readManifest(join(root, "package.json"));
  const { folder } = await buildDashboard(root);
  writeArchive(root, folder, resolve(file), version);
  console.log(`${file} is Parley ${version}`);
}

const [first, second, ...rest] = process.argv.slice(2);
if (first === "notes" && second !== undefined && rest.length === 0) printNotes(second);
else if (first === "archive" && second !== undefined && rest.length === 0) await archive(second);
else if (first !== undefined && second === undefined) release(first);
else stop("Usage: npm run release -- VERSION, or npm run release -- notes TAG, or npm run release -- archive FILE");
