import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSnippets, type Snippet } from "@parley/tools/snippets/read-snippets";
import { until } from "../harness/api-client.ts";
import { freePort } from "../harness/free-port.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { installTypeScriptSdk } from "../sdk/install-sdks.ts";
import { runProgram } from "../sdk/run-program.ts";

const WITHIN_MS = 60_000;

export const readDocument = (path: string): Snippet[] =>
  readSnippets(path, readFileSync(join(REPOSITORY, path), "utf8"));

/** The blocks of a document that begin with the name of a file, by that name. */
export function programsOf(path: string): Map<string, string> {
  return new Map(
    readDocument(path).flatMap(({ text }): [string, string][] => {
      const name = /^(?:#|\/\/) (\S+\.(?:sh|mjs|py))\n/.exec(text)?.[1];
      return name === undefined ? [] : [[name, text]];
    }),
  );
}

/** A service, and a project in which a reader has installed the SDK and saves the programs of documents. */
export class ReaderProject {
  static async open(): Promise<ReaderProject> {
    const folder = mkdtempSync(join(tmpdir(), "parley-documents-"));
    const scene = await Scene.open();
    const service = await scene.start();
    const { key, agentId } = await readFirstRun(service);
    const project = await installTypeScriptSdk(folder);
    // A refused request ends a script, which it would not do by itself.
    writeFileSync(join(project, ".curlrc"), "fail-with-body\n");
    return new ReaderProject(scene, folder, project, service.url, key, agentId);
  }

  readonly #scene: Scene;
  readonly folder: string;
  readonly project: string;
  readonly url: string;
  readonly key: string;
  readonly #env: Record<string, string>;
  readonly #started: ChildProcess[] = [];

  private constructor(scene: Scene, folder: string, project: string, url: string, key: string, agentId: string) {
    this.#scene = scene;
    this.folder = folder;
    this.project = project;
    this.url = url;
    this.key = key;
    this.#env = { PARLEY_URL: url, PARLEY_API_KEY: key, AGENT_ID: agentId };
  }

  /** Runs a program to its end and returns what it printed. */
  run(name: string, text: string, interpreter: readonly string[] = interpreterOf(name)): Promise<string> {
    writeFileSync(join(this.project, name), text);
    const [program = "", ...args] = interpreter;
    return runProgram(program, [...args, name], { cwd: this.project, env: this.#env });
  }

  /** Starts a program that goes on, and waits until it says that it is listening. Returns its address. */
  async start(name: string, text: string, more: Readonly<Record<string, string>>): Promise<string> {
    writeFileSync(join(this.project, name), text);
    const port = await freePort();
    const child = spawn(process.execPath, [name], {
      cwd: this.project,
      env: { ...this.#env, ...more, PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#started.push(child);
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await until(
      async () => printed,
      (seen) => seen.includes("listening"),
      WITHIN_MS,
    );
    return `http://127.0.0.1:${port}/`;
  }

  async close(): Promise<void> {
    for (const child of this.#started) child.kill();
    await this.#scene.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function interpreterOf(name: string): readonly string[] {
  return name.endsWith(".sh") ? ["sh", "-e"] : [process.execPath];
}
