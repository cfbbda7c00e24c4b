import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../../harness/service-process.ts";

/** What an image says about how it is run. */
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface BuiltImage {
  readonly config: ImageConfig;
  /** The files of the image. */
  readonly root: string;
  readonly bytes: number;
  remove(): void;
}

const SYSTEM_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const BASE = "localhost/debian:13-slim";

/** Builds the image as the Dockerfile says, from a Debian that is made here: no registry of images is needed. */
export function buildImage(folder: string): BuiltImage {
  if (process.getuid?.() !== 0) throw new Error("Only root can build images without a daemon: run it as root.");
  const storage = ["--root", join(folder, "images"), "--runroot", join(folder, "state")];
  const buildah = (...args: string[]) => run("buildah", [...storage, ...args]);
  const base = join(folder, "debian.tar");
  run("mmdebstrap", ["--variant=minbase", "trixie", base, "http://deb.debian.org/debian"]);
  const scratch = buildah("from", "scratch");
  buildah("add", "--quiet", scratch, base, "/");
  buildah("commit", "--quiet", scratch, BASE);
  buildah("rm", scratch);
  // Programs in the build trust whom this machine trusts, and use what npm has already downloaded.
  writeFileSync(join(folder, "npmrc"), "cafile=/etc/ssl/host.crt\n");
  writeFileSync(join(folder, "curlrc"), 'cacert = "/etc/ssl/host.crt"\n');
  const cache = join(homedir(), ".npm");
  mkdirSync(cache, { recursive: true });
  const mounts = [
    `${SYSTEM_CERTIFICATES}:/etc/ssl/host.crt:ro`,
    `${join(folder, "npmrc")}:/root/.npmrc:ro`,
    `${join(folder, "curlrc")}:/root/.curlrc:ro`,
    `${cache}:/root/.npm`,
  ];
  buildah(
    "build",
    "--isolation=chroot",
    "--pull-never",
    "--format=docker",
    // npm opens thousands of files, and the default is lower than what this machine allows.
    `--ulimit=nofile=${openFilesMax()}`,
    `--build-arg=DEBIAN=${BASE}`,
    ...mounts.map((mount) => `--volume=${mount}`),
    `--file=${join(REPOSITORY, "deploy/container/Dockerfile")}`,
    "--tag=localhost/parley",
    REPOSITORY,
  );
  const container = buildah("from", "localhost/parley");
  const inspected = JSON.parse(buildah("inspect", "--type=image", "localhost/parley")) as {
    Docker: { config: ImageConfig };
  };
  const root = buildah("mount", container);
  const bytes = Number(run("du", ["--summarize", "--bytes", root]).split("\t")[0]);
  return {
    config: inspected.Docker.config,
    root,
    bytes,
    remove() {
      buildah("umount", container);
      buildah("rm", "--all");
      buildah("rmi", "--all", "--force");
    },
  };
}

function openFilesMax(): string {
  const [, , hard = "1024"] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  return `${hard}:${hard}`;
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stderr.slice(-4000)}`);
  return stdout.trim();
}
