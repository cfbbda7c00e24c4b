import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { followProcess } from "./followed-process.ts";
import { untilListening } from "./listening.ts";

export interface Sipp {
  readonly port: number;
  /** Resolves when the scenario is over: 0 means that everything went as expected. */
  readonly finished: Promise<{ readonly code: number | null; readonly errors: string }>;
  stop(): Promise<void>;
}

export interface SippOptions {
  readonly transport?: "udp" | "tcp";
  readonly host?: "127.0.0.1" | "::1";
  /** How often the scenario is played before sipp leaves. */
  readonly calls?: number;
  /** After which it gives up. */
  readonly timeoutS?: number;
}

/** For signalling, for what sipp calls control, and for the audio of up to two streams with their RTCP. */
const PORTS = { signalling: 0, control: 1, audio: 2, count: 8 };

/** Starts a callee that plays one scenario and echoes every audio packet to its sender. */
export async function startSipp(
  scenarioText: string,
  { transport = "udp", host = "127.0.0.1", calls = 1, timeoutS = 60 }: SippOptions = {},
): Promise<Sipp> {
  const folder = await mkdtemp(join(tmpdir(), "parley-sipp-"));
  const file = join(folder, "scenario.xml");
  const errorFile = join(folder, "errors.log");
  await writeFile(file, scenarioText);
  const ports = await freePorts(PORTS.count);
  const port = ports + PORTS.signalling;
  const places = ["-i", host, "-p", `${port}`, "-cp", `${ports + PORTS.control}`];
  const audio = ["-rtp_echo", "-mi", host, "-mp", `${ports + PORTS.audio}`];
  // A busy machine causes retransmissions, which sipp would treat as a mistake. The expected messages must still
  // arrive.
  const patience = ["-default_behaviors", "all,-abortunexp"];
  const options = ["-m", `${calls}`, "-timeout", `${timeoutS}s`, "-timeout_error", "-nostdin"];
  const tracing = ["-trace_err", "-error_file", errorFile, "-t", transport === "tcp" ? "t1" : "u1"];
  const args = ["-sf", file, ...places, ...audio, ...options, ...patience, ...tracing];
  const child = followProcess({ program: "sipp", args, cwd: folder });
  const finished = child.exited.then(async (code) => {
    const errors = await readFile(errorFile, "utf8").catch(() => "");
    await rm(folder, { recursive: true, force: true });
    return { code, errors: code === 0 ? errors : `${errors}\n${child.output()}` };
  });
  try {
    await untilListening(child, port, transport);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return {
    port,
    finished,
    async stop() {
      await child.stop();
      await finished;
    },
  };
}
