import { copyFileSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packPythonSdk, packTypeScriptSdk } from "@parley/tools/pack/pack-sdks";
import { REPOSITORY } from "../harness/service-process.ts";
import { runProgram } from "./run-program.ts";

/** Debian's, whatever else is on the path. */
export const PYTHON = "/usr/bin/python3";

/** Builds and packs the TypeScript SDK and installs it into an empty project, as its users do. Returns the project. */
export async function installTypeScriptSdk(folder: string): Promise<string> {
  const project = join(folder, "project");
  mkdirSync(project);
  const tarball = await packTypeScriptSdk(folder);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
  await runProgram("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: project });
  return project;
}

/** Compiles a program in the project with the strictest settings of its users. */
export async function compileIn(project: string, source: string): Promise<void> {
  copyFileSync(join(REPOSITORY, "e2e/sdk/packed", source), join(project, source));
  const compiler = join(REPOSITORY, "node_modules/typescript/bin/tsc");
  const options = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--types", ""];
  const language = ["--target", "es2022", "--lib", "es2022,dom,dom.asynciterable", "--module", "nodenext"];
  await runProgram(process.execPath, [compiler, ...options, ...language, source], { cwd: project });
}

export interface InstalledPython {
  readonly python: string;
  readonly folder: string;
}

/** Builds the Python SDK as sdist and wheel and installs the wheel into a new virtual environment. */
export async function installPythonSdk(folder: string): Promise<InstalledPython> {
  const [wheel = ""] = await packPythonSdk(join(folder, "wheels"));
  const environment = join(folder, "venv");
  // httpx is Debian's. To install pip into the environment takes longer than everything else, and only its wheel is needed.
  await runProgram(PYTHON, ["-m", "venv", "--system-site-packages", "--without-pip", environment], { cwd: folder });
  const python = join(environment, "bin/python");
  const [pip] = globSync("/usr/share/python-wheels/pip-*.whl");
  if (pip === undefined) throw new Error("Debian's python3-venv brings no wheel of pip");
  const options = ["--quiet", "--no-index", "--no-deps"];
  await runProgram(python, [join(pip, "pip"), "install", ...options, wheel], { cwd: folder });
  return { python, folder };
}
