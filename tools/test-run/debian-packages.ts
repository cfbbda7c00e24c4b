import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface NeededPackage {
  readonly name: string;
  /** A program that shows whether the package is installed. */
  readonly program: string;
  /** Where Debian puts it if that is not on the path. */
  readonly alsoIn: readonly string[];
  /** The only processor on which it is needed. */
  readonly onlyOn?: NodeJS.Architecture;
}

/** Everything the tests need that npm does not provide. */
export const NEEDED_PACKAGES: readonly NeededPackage[] = [
  // A PostgreSQL that is not the embedded one, to show that DATABASE_URL may name any.
  { name: "postgresql", program: "initdb", alsoIn: ["/usr/lib/postgresql/*/bin"] },
  // A pooler in front of it.
  { name: "pgbouncer", program: "pgbouncer", alsoIn: ["/usr/sbin"] },
  // What replaces a PostgreSQL whose machine died, and where it keeps who leads.
  { name: "patroni", program: "patroni", alsoIn: [] },
  { name: "etcd-server", program: "etcd", alsoIn: [] },
  // What operators watch and balance the service with.
  { name: "prometheus", program: "promtool", alsoIn: [] },
  { name: "haproxy", program: "haproxy", alsoIn: ["/usr/sbin"] },
  // Third-party SIP peers, to show interoperability: one that plays any scenario, one that plays and records audio, and
  // a proxy with its media relay. Debian installs servers outside the path of ordinary users.
  { name: "sip-tester", program: "sipp", alsoIn: [] },
  { name: "baresip-core", program: "baresip", alsoIn: [] },
  { name: "kamailio", program: "kamailio", alsoIn: ["/usr/sbin"] },
  { name: "rtpengine-daemon", program: "rtpengine", alsoIn: ["/usr/sbin"] },
  // A browser, to see the dashboard as people do.
  { name: "chromium-headless-shell", program: "chromium-headless-shell", alsoIn: [] },
  // Runs Helm, which npm has for x64 only.
  { name: "qemu-user-static", program: "qemu-x86_64-static", alsoIn: [], onlyOn: "arm64" },
  // Build the image without a daemon, from a Debian made here, and run it.
  { name: "buildah", program: "buildah", alsoIn: [] },
  { name: "mmdebstrap", program: "mmdebstrap", alsoIn: [] },
  { name: "bubblewrap", program: "bwrap", alsoIn: [] },
  // Checks the units.
  { name: "systemd", program: "systemd-analyze", alsoIn: [] },
  // The example that places a call and the commands of guides are shell scripts.
  { name: "curl", program: "curl", alsoIn: [] },
  { name: "jq", program: "jq", alsoIn: [] },
  // What builds, checks and runs the Python SDK. A module is found by its file.
  { name: "python3-httpx", program: "__init__.py", alsoIn: ["/usr/lib/python3/dist-packages/httpx"] },
  { name: "python3-venv", program: "__init__.py", alsoIn: ["/usr/lib/python3.*/ensurepip"] },
  { name: "python3-build", program: "__init__.py", alsoIn: ["/usr/lib/python3/dist-packages/build"] },
  { name: "python3-hatchling", program: "__init__.py", alsoIn: ["/usr/lib/python3/dist-packages/hatchling"] },
  { name: "mypy", program: "mypy", alsoIn: [] },
];

export interface Machine {
  readonly isRoot: boolean;
  readonly hasApt: boolean;
}

export type PackagePlan =
  | { readonly kind: "ready" }
  | { readonly kind: "install"; readonly commands: readonly (readonly [string, ...string[]])[] }
  | { readonly kind: "stop"; readonly message: string };

/**
 * Decides what to do about missing packages: install them if allowed, otherwise print the exact line. Never continues
 * without.
 */
export function planPackages(missing: readonly string[], machine: Machine): PackagePlan {
  if (missing.length === 0) return { kind: "ready" };
  const list = missing.join(" ");
  if (!machine.hasApt) {
    return { kind: "stop", message: `The tests need what Debian calls ${list}. Install it and run them again.` };
  }
  if (!machine.isRoot) {
    const line = `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${list}`;
    return { kind: "stop", message: `The tests need ${list}. Run this line, then run them again:\n\n  ${line}\n` };
  }
  return {
    kind: "install",
    commands: [
      ["apt-get", "update"],
      ["apt-get", "install", "-y", "--no-install-recommends", ...missing],
    ],
  };
}

/** The names of the packages whose programs cannot be found. */
export function findMissingPackages(
  path: string,
  needed: readonly NeededPackage[] = NEEDED_PACKAGES,
  processor: NodeJS.Architecture = process.arch,
): string[] {
  return needed
    .filter(({ program, alsoIn, onlyOn }) => {
      if (onlyOn !== undefined && onlyOn !== processor) return false;
      const folders = [...path.split(delimiter), ...alsoIn.flatMap((pattern) => globSync(pattern))];
      return !folders.some((folder) => folder !== "" && existsSync(join(folder, program)));
    })
    .map(({ name }) => name);
}
