import { execFile } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { buildPackage } from "../packages/build-package.ts";
import { npmPack } from "./npm-pack.ts";
import { publishedReadme } from "./published-readme.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Debian's, with the packages python3-build and python3-hatchling. */
const PYTHON = "/usr/bin/python3";

/** Builds and packs the TypeScript SDK. Returns the path of the tarball. */
export async function packTypeScriptSdk(outDir: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), "parley-pack-"));
  try {
    return await npmPack(buildPackage("sdk/typescript", join(staging, "sdk")), outDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Builds the Python SDK. Returns the paths of the wheel and of the source distribution. */
export async function packPythonSdk(outDir: string): Promise<string[]> {
  const staging = await mkdtemp(join(tmpdir(), "parley-pack-"));
  try {
    const source = join(staging, "sdk");
    const built = join(staging, "built");
    await mkdir(source);
    for (const part of ["src", "pyproject.toml", "LICENSE"])
      await cp(join(ROOT, "sdk/python", part), join(source, part), { recursive: true });
    const readme = await readFile(join(ROOT, "sdk/python/README.md"), "utf8");
    await writeFile(join(source, "README.md"), publishedReadme(readme));
    const options = ["--no-isolation", "--skip-dependency-check", "--outdir", built];
    await promisify(execFile)(PYTHON, ["-m", "build", ...options, source], { cwd: staging });
    await mkdir(outDir, { recursive: true });
    const packed: string[] = [];
    for await (const file of glob("parley_sdk-*", { cwd: built })) {
      await cp(join(built, file), join(resolve(outDir), file));
      packed.push(join(resolve(outDir), file));
    }
    if (packed.length !== 2) throw new Error(`the build made ${packed.join(", ")} instead of a wheel and an sdist`);
    return packed.toSorted((a) => (a.endsWith(".whl") ? -1 : 1));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
