import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packPackage } from "@parley/tools/pack/pack-package";

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  /** Resolves with the text so far once it contains what is awaited. */
  until(stream: "out" | "err", pattern: RegExp): Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
}

export interface InstalledProgram {
  /** The folder into which it was installed, where it is run. */
  readonly folder: string;
  /** The file of the program. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>, input?: string): Running;
  run(args: readonly string[], env?: Readonly<Record<string, string>>, input?: string): Promise<Finished>;
  remove(): Promise<void>;
}

/** Packs a program and installs the tarball into an empty folder, without a network, as someone who knows only the package. */
export async function installProgram(folder: string, name: string): Promise<InstalledProgram> {
  const place = await mkdtemp(join(tmpdir(), "parley-program-"));
  const tarball = await packPackage(folder, join(place, "packed"));
  const home = join(place, "home");
  const project = join(place, "project");
  await mkdir(home);
  await mkdir(project);
  await writeFile(join(project, "package.json"), "{}");
  await promisify(execFile)("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: project });
  const path = join(project, "node_modules", ".bin", name);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const start: InstalledProgram["start"] = (args, more = {}, input = "") =>
    startProgram([process.execPath, path, ...args], { cwd: project, env: { ...env, ...more }, input });
  return {
    folder: project,
    path,
    env,
    start,
    run: (args, more, input) => start(args, more, input).finished,
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from standard input. */
  readonly input: string;
}

export function startProgram([program = "", ...args]: readonly string[], { cwd, env, input }: StartOptions): Running {
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined); // It may end without having read its input.
  child.stdin.end(input);
  const texts = { out: "", err: "" };
  let wake = Promise.withResolvers<void>();
  const hear = (stream: "out" | "err") => (piece: Buffer) => {
    texts[stream] += piece.toString();
    wake.resolve();
    wake = Promise.withResolvers();
  };
  child.stdout.on("data", hear("out"));
  child.stderr.on("data", hear("err"));
  const finished = once(child, "close").then(([code]): Finished => {
    wake.resolve();
    return { code: code as number | null, ...texts };
  });
  return {
    child,
    finished,
    async until(stream, pattern) {
      for (;;) {
        const found = pattern.exec(texts[stream]);
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${texts.out}${texts.err}`);
        await wake.promise;
      }
    },
  };
}
