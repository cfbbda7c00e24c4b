import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { followProcess } from "./followed-process.ts";
import { untilListening } from "./listening.ts";

export interface Rtpengine {
  /** Where a proxy tells it, by the ng protocol over UDP, what to relay. */
  readonly controlPort: number;
  /** The ports through which audio is relayed. */
  readonly audioPorts: { readonly first: number; readonly last: number };
  /** At the end of a call it has how much went through each port. */
  readonly log: () => string;
  stop(): Promise<void>;
}

const PORTS = { control: 0, audio: 2, count: 42 };

/** Starts an audio relay: in user space, on the loopback, without touching the machine's firewall. */
export async function startRtpengine(): Promise<Rtpengine> {
  const folder = await mkdtemp(join(tmpdir(), "parley-rtpengine-"));
  const ports = await freePorts(PORTS.count);
  const controlPort = ports + PORTS.control;
  const audioPorts = { first: ports + PORTS.audio, last: ports + PORTS.count - 1 };
  const where = ["--interface=127.0.0.1", `--listen-ng=127.0.0.1:${controlPort}`];
  const range = [`--port-min=${audioPorts.first}`, `--port-max=${audioPorts.last}`];
  // Without its own thread counts it takes one for each core; without a table it leaves the kernel alone.
  const options = [
    "--foreground",
    "--log-stderr",
    "--table=-1",
    "--num-threads=2",
    "--log-level=6",
    "--delete-delay=0",
  ];
  const args = [...options, ...where, ...range, `--pidfile=${join(folder, "pid")}`];
  const child = followProcess({ program: "rtpengine", args, cwd: folder });
  const stop = async () => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilListening(child, controlPort, "udp");
  } catch (error) {
    await stop();
    throw error;
  }
  return { controlPort, audioPorts, log: child.output, stop };
}
