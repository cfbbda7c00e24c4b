import { spawn } from "node:child_process";
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identityOptions, programEnvironment } from "@parley/server/platform/database/embedded/run-program";
import { query } from "@parley/server/platform/database/embedded/testing/embedded-scene";
import { findUnprivilegedIdentity } from "@parley/server/platform/database/embedded/unprivileged-identity";
import { until } from "./api-client.ts";
import { freePort } from "./free-port.ts";
import { findBinaries } from "./own-postgres.ts";
import { killProcesses, processesOf } from "./processes-of.ts";
import { REPOSITORY } from "./service-process.ts";

const NODES = ["db1", "db2", "db3"] as const;
type NodeName = (typeof NODES)[number];
const PASSWORD = "the-password-of-parley";
/** Three servers, three members of etcd and all that Patroni does to join them, on a busy machine. */
const UP_WITHIN_MS = 150_000;

interface Ports {
  readonly postgres: number;
  readonly rest: number;
  readonly etcd: number;
  readonly peer: number;
}

export interface PatroniCluster {
  /** Lists all servers. The role owns its database. */
  readonly url: string;
  /** The node that takes writes, as Patroni has it, or null while there is none. */
  readLeader(): Promise<NodeName | null>;
  /** Waits until a node leads and so many others follow it, one of them synchronously. */
  untilComplete(followers: number): Promise<NodeName>;
  /** As when the machine loses its power: PostgreSQL, Patroni and etcd. */
  killNode(name: NodeName): void;
  /** The machine is there again. */
  startNode(name: NodeName): void;
  /** What Patroni and PostgreSQL of all nodes wrote. */
  logs(): string;
}

/**
 * Starts three nodes, each with Debian's PostgreSQL, Patroni and etcd, configured by deploy/postgresql/patroni.yaml. They
 * end when the folder's processes are killed.
 */
export async function startPatroni(folder: string): Promise<PatroniCluster> {
  const identity = process.getuid?.() === 0 ? findUnprivilegedIdentity() : undefined;
  const ports = new Map<NodeName, Ports>();
  for (const name of NODES)
    ports.set(name, {
      ...{ postgres: await freePort(), rest: await freePort(), etcd: await freePort(), peer: await freePort() },
    });
  const portsOf = (name: NodeName) => ports.get(name) as Ports;
  const folderOf = (name: NodeName) => join(folder, name);
  const peers = NODES.map((name) => `${name}=http://127.0.0.1:${portsOf(name).peer}`).join(",");

  for (const name of NODES) {
    mkdirSync(folderOf(name), { mode: 0o700 });
    const file = join(folderOf(name), "patroni.yaml");
    writeFileSync(file, configure(name, folderOf(name), portsOf), { mode: 0o600 });
    if (identity) for (const path of [folderOf(name), file]) chownSync(path, identity.uid, identity.gid);
  }

  function start(name: NodeName, program: string, args: readonly string[]): void {
    const log = openSync(join(folderOf(name), "log"), "a");
    const child = spawn(program, args, {
      cwd: folderOf(name),
      env: { ...programEnvironment, HOME: folderOf(name) },
      stdio: ["ignore", log, log],
      ...identityOptions(identity),
    });
    child.once("error", (error) => {
      throw new Error("This test needs Debian's patroni and etcd-server: apt-get install patroni etcd-server", {
        cause: error,
      });
    });
    closeSync(log);
  }

  function startNode(name: NodeName): void {
    const { etcd, peer } = portsOf(name);
    const [clients, own] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`];
    start(name, "/usr/bin/etcd", [
      ...["--name", name, "--data-dir", join(folderOf(name), "etcd"), "--initial-cluster", peers],
      ...["--listen-client-urls", clients, "--advertise-client-urls", clients],
      ...["--listen-peer-urls", own, "--initial-advertise-peer-urls", own],
      // Three members on the disk and the two cores of one machine answer late.
      ...["--heartbeat-interval", "500", "--election-timeout", "5000"],
    ]);
    start(name, "/usr/bin/patroni", [join(folderOf(name), "patroni.yaml")]);
  }

  /** What any node that answers knows of all of them. */
  async function readMembers(): Promise<Member[]> {
    for (const name of NODES) {
      const members = await fetch(`http://127.0.0.1:${portsOf(name).rest}/cluster`, {
        signal: AbortSignal.timeout(3000),
      }).then(
        async (reply) => ((await reply.json()) as { members?: Member[] }).members ?? [],
        () => [],
      );
      if (members.length > 0) return members;
    }
    return [];
  }

  /** Patroni's own view lags behind; it is asked what it is now. */
  async function readLeader(): Promise<NodeName | null> {
    for (const name of NODES) {
      const leads = await fetch(`http://127.0.0.1:${portsOf(name).rest}/primary`, {
        signal: AbortSignal.timeout(3000),
      }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (leads) return name;
    }
    return null;
  }

  async function untilComplete(followers: number): Promise<NodeName> {
    const members = await until(
      readMembers,
      (seen) =>
        seen.some(({ role, state }) => role === "leader" && state === "running") &&
        seen.some(({ role, state }) => role === "sync_standby" && isFollowing(state)) &&
        seen.filter(({ role, state }) => role !== "leader" && isFollowing(state)).length >= followers,
      UP_WITHIN_MS,
    );
    return members.find(({ role }) => role === "leader")?.name as NodeName;
  }

  const addresses = NODES.map((name) => `127.0.0.1:${portsOf(name).postgres}`).join(",");
  const logs = () => NODES.map((name) => readFileSync(join(folderOf(name), "log"), "utf8").slice(-4000)).join("\n--\n");
  for (const name of NODES) startNode(name);
  try {
    const leader = await untilComplete(NODES.length - 1);
    const superuser = `postgresql://postgres:password-of-postgres@127.0.0.1:${portsOf(leader).postgres}/postgres`;
    await query(superuser, `create role parley login password '${PASSWORD}'`);
    await query(superuser, "create database parley owner parley");
  } catch (error) {
    throw new Error(`there is no cluster:\n${logs()}`, { cause: error });
  }
  return {
    url: `postgresql://parley:${PASSWORD}@${addresses}/parley`,
    readLeader,
    untilComplete,
    killNode: (name) => killProcesses(processesOf(folderOf(name))),
    startNode,
    logs,
  };
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Patroni 3.0.4 and later tell streaming apart. */
const isFollowing = (state: string) => state === "running" || state === "streaming";

/** The configuration that is shipped, with the addresses and folders of this test. */
function configure(name: NodeName, folder: string, portsOf: (name: NodeName) => Ports): string {
  const own = portsOf(name);
  const etcd = NODES.map((each) => `127.0.0.1:${portsOf(each).etcd}`).join(", ");
  const replacements: readonly (readonly [string, string])[] = [
    ["name: db1", `name: ${name}`],
    ["10.0.0.11:8008", `127.0.0.1:${own.rest}`],
    ["10.0.0.11:2379, 10.0.0.12:2379, 10.0.0.13:2379", etcd],
    ["10.0.0.11:5432", `127.0.0.1:${own.postgres}`],
    ["10.0.0.0/24", "127.0.0.1/32"],
    ["/usr/lib/postgresql/15/bin", findBinaries()],
    ["/var/lib/postgresql", folder],
  ];
  return replacements.reduce(
    (text, [shipped, ours]) => {
      if (!text.includes(shipped)) throw new Error(`deploy/postgresql/patroni.yaml does not contain ${shipped}`);
      return text.replaceAll(shipped, ours);
    },
    readFileSync(join(REPOSITORY, "deploy/postgresql/patroni.yaml"), "utf8"),
  );
}
