import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { followProcess } from "./followed-process.ts";
import { kamailioConfiguration } from "./kamailio-configuration.ts";
import { untilListening } from "./listening.ts";

export interface KamailioOptions {
  readonly domain: string;
  /** For everyone who calls or registers, whatever their name. */
  readonly password: string;
  /** The control port of an rtpengine that relays the audio, or null for audio that goes from end to end. */
  readonly rtpengineControlPort: number | null;
}

export interface Kamailio {
  readonly port: number;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Starts a proxy that challenges, registers and stays in the path of the calls, over UDP and TCP on one port. */
export async function startKamailio(options: KamailioOptions): Promise<Kamailio> {
  const folder = await mkdtemp(join(tmpdir(), "parley-kamailio-"));
  const port = await freePorts(2);
  const file = join(folder, "kamailio.cfg");
  await writeFile(file, kamailioConfiguration(options, port));
  // -DD keeps it in the foreground with its children; -E writes to stderr; 64 MB are shared and 8 MB of each process.
  const args = ["-f", file, "-Y", folder, "-P", join(folder, "pid"), "-DD", "-E", "-m", "64", "-M", "8"];
  const child = followProcess({ program: "/usr/sbin/kamailio", args, cwd: folder });
  const stop = async () => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all([untilListening(child, port, "udp"), untilListening(child, port, "tcp")]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, log: child.output, stop };
}
