import { cpuSeconds } from "../process-figures.ts";
import { busySecondsBetween, machineClock } from "./machine-load.ts";
import { type Core, type Program, startProgram } from "./program.ts";
import type { WrittenPackets } from "./write-packets.ts";

/** Until just-in-time compilers, jitter buffers and rings of four seconds have settled. */
export const WARM_UP_SECONDS = 8;
export const MEASURED_SECONDS = 5;
const GENERATOR_CORE: Core = 0;

/**
 * Something that carries legs: it receives the addresses of their far ends, and prints "RTP RTCP" per leg, then
 * "ready".
 */
export interface ThreadUnderTest {
  readonly name: string;
  start(remotePorts: readonly number[]): Promise<Program>;
}

export interface RunFigures {
  readonly name: string;
  readonly legs: number;
  /** Of one core, in the measured time. */
  readonly cpuPercent: number;
  readonly lateP50Ms: number;
  readonly lateP99Ms: number;
  readonly lateMaxMs: number;
  /** Packets from the legs that did not arrive. */
  readonly lost: number;
  /** Packets that the legs did not receive. */
  readonly lostInbound: number;
  readonly rssBytes: number | null;
  /** What the rest of the machine used meanwhile, of one core; the generator is not counted. */
  readonly othersPercent: number;
}

interface GeneratorFigures {
  lost: number;
  lateP50Ms: number;
  lateP99Ms: number;
  lateMaxMs: number;
}

/** Loads a thread with one leg per stream, and returns its statistics. */
export async function runMedia(
  loadGenerator: string,
  under: ThreadUnderTest,
  packets: WrittenPackets,
  legs: number,
): Promise<RunFigures> {
  const running: Program[] = [];
  try {
    const { file, packetBytes, packetsPerStream, keys } = packets;
    const sendsReports = keys.length === 0 ? 1 : 0;
    const shape = [legs, file, packetBytes, packetsPerStream, WARM_UP_SECONDS, MEASURED_SECONDS, sendsReports];
    const generator = startProgram(loadGenerator, shape.map(String), GENERATOR_CORE);
    running.push(generator);
    const remotePorts = (await generator.nextLine()).split(" ").slice(1).map(Number);
    const thread = await under.start(remotePorts);
    running.push(thread);
    for (let line = await thread.nextLine(); line !== "ready"; line = await thread.nextLine())
      generator.write(`${line}\n`);

    await expectLine(generator, "warm");
    const before = readCpu(thread, generator);
    await expectLine(generator, "over");
    const after = readCpu(thread, generator);
    const figures = JSON.parse(await generator.nextLine()) as GeneratorFigures;
    await generator.end();
    const closing = thread.end();
    const own = JSON.parse(await thread.nextLine()) as { lost: number; rssBytes?: number };
    await closing;
    const seconds = after.machine.elapsedSeconds - before.machine.elapsedSeconds;
    const ofThread = after.thread - before.thread;
    const others = busySecondsBetween(before.machine, after.machine) - ofThread - (after.generator - before.generator);
    return {
      name: under.name,
      legs,
      cpuPercent: (100 * ofThread) / seconds,
      ...figures,
      lostInbound: own.lost,
      rssBytes: own.rssBytes ?? null,
      othersPercent: (100 * others) / seconds,
    };
  } finally {
    for (const program of running) program.kill();
  }
}

function readCpu(thread: Program, generator: Program) {
  return { machine: machineClock(), thread: cpuSeconds(thread.pid), generator: cpuSeconds(generator.pid) };
}

async function expectLine(program: Program, expected: string): Promise<void> {
  const line = await program.nextLine();
  if (line !== expected) throw new Error(`the load generator said ${JSON.stringify(line)} and not ${expected}`);
}
