import { spawnSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { publishedReadme } from "../pack/published-readme.ts";

const root = resolve(import.meta.dirname, "../..");

type Target = string | { readonly [condition: string]: Target };

interface Manifest {
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Target>>;
  readonly imports?: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, Target>>;
  readonly [field: string]: unknown;
}

const LANGUAGE = ["--target", "es2022", "--lib", "esnext", "--types", "node"];
const MODULES = ["--module", "nodenext", "--rewriteRelativeImportExtensions", "--verbatimModuleSyntax"];
const CHECKS = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck"];

/**
 * Builds a package that others install: JavaScript and declarations, beside a package.json that names them.
 * The package.json of the sources names the sources, so that nothing in this repository has to be built first.
 */
export function buildPackage(folder: string, dist = join(root, folder, "dist")): string {
  rmSync(dist, { recursive: true, force: true });
  const sources = globSync("src/**/*.ts", { cwd: join(root, folder), exclude: ["**/*.test.ts", "**/testing/**"] });
  const output = ["--ignoreConfig", "--declaration", "--rootDir", "src", "--outDir", dist];
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), ...LANGUAGE, ...MODULES, ...CHECKS, ...output, ...sources],
    { cwd: join(root, folder), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${folder} does not compile:\n${stdout}`);
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(builtManifest(manifest), null, 2)}\n`);
  cpSync(join(root, folder, "LICENSE"), join(dist, "LICENSE"));
  writeFileSync(join(dist, "README.md"), publishedReadme(readFileSync(join(root, folder, "README.md"), "utf8")));
  return dist;
}

/** The package.json of what was built. */
export function builtManifest(manifest: Manifest): Manifest {
  const { private: _, devDependencies: __, scripts: ___, ...kept } = manifest;
  return {
    ...kept,
    ...(manifest.exports ? { exports: mapTargets(manifest.exports, withTypes) } : {}),
    ...(manifest.imports ? { imports: mapTargets(manifest.imports, builtPath) } : {}),
    ...(manifest.bin ? { bin: mapTargets(manifest.bin, builtPath) } : {}),
    // Says in the registry which commit it was built from; npm does so only in CI.
    publishConfig: { access: "public", provenance: true },
  };
}

const builtPath = (source: string) => source.replace(/^\.\/src\//, "./").replace(/\.ts$/, ".js");

function withTypes(source: string): Target {
  const built = builtPath(source);
  return built.endsWith(".js") ? { types: built.replace(/\.js$/, ".d.ts"), default: built } : built;
}

function mapTargets(targets: Readonly<Record<string, Target>>, map: (path: string) => Target): Record<string, Target> {
  return Object.fromEntries(
    Object.entries(targets).map(([name, target]) => [
      name,
      typeof target === "string" ? map(target) : mapTargets(target, map),
    ]),
  );
}
