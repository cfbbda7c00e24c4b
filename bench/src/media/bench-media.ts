import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { median } from "../statistics.ts";
import { benchCallSetup } from "./call-setup.ts";
import { MEASURED_SECONDS, type RunFigures, runMedia, type ThreadUnderTest, WARM_UP_SECONDS } from "./media-run.ts";
import { type Core, startProgram } from "./program.ts";
import { planThread } from "./thread-plan.ts";
import { type LegKeys, type WrittenPackets, writePackets } from "./write-packets.ts";

const ROUNDS = 5;
const LEGS = 300;
const ENCRYPTED_LEGS = 200;
/** A quarter of a core. */
const NOISY_PERCENT = 25;
/** Before the measured time begins legs are being opened; the file must not end before the run does. */
const PACKET_SECONDS = WARM_UP_SECONDS + MEASURED_SECONDS + 1;

const SOURCES = fileURLToPath(new URL("./native/", import.meta.url));

interface NativePrograms {
  readonly loadGenerator: string;
  readonly referenceThread: string;
}

const CORE: Core = 1;

/**
 * One media thread under full load, compared with an equivalent C program. The quick form needs no C compiler: it only
 * sets up calls.
 */
export async function benchMedia(): Promise<Goal[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    if (isQuick) return await benchCallSetup(folder);
    const programs = await buildNative(folder);
    const plain = await writePackets(join(folder, "plain"), {
      streams: LEGS,
      seconds: PACKET_SECONDS,
      encrypts: false,
    });
    const encrypted = await writePackets(join(folder, "encrypted"), {
      streams: ENCRYPTED_LEGS,
      seconds: PACKET_SECONDS,
      encrypts: true,
    });
    console.log(`${ROUNDS} interleaved rounds of ${MEASURED_SECONDS} s, after ${WARM_UP_SECONDS} s of warming up`);
    printHead();
    const [ours = [], reference = [], srtp = [], busy = []] = await runRounds(programs, [
      { under: ourThread(folder), packets: plain, legs: LEGS },
      { under: referenceThread(programs.referenceThread), packets: plain, legs: LEGS },
      { under: ourThread(folder, encrypted.keys), packets: encrypted, legs: ENCRYPTED_LEGS },
      { under: ourThreadBesideBusyMain(folder), packets: plain, legs: LEGS },
    ]);
    return [...judge(ours, reference, srtp, busy), ...(await benchCallSetup(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Contestant {
  readonly under: ThreadUnderTest;
  readonly packets: WrittenPackets;
  readonly legs: number;
}

async function runRounds(
  { loadGenerator }: NativePrograms,
  contestants: readonly Contestant[],
): Promise<RunFigures[][]> {
  const figures: RunFigures[][] = contestants.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { under, packets, legs }] of contestants.entries()) {
      const run = await runMedia(loadGenerator, under, packets, legs);
      printRun(run);
      figures[index]?.push(run);
    }
  }
  return figures;
}

function judge(ours: RunFigures[], reference: RunFigures[], srtp: RunFigures[], busy: RunFigures[]): Goal[] {
  const perHundred = (runs: readonly RunFigures[]) =>
    median(runs.map(({ cpuPercent, legs }) => (100 * cpuPercent) / legs));
  const ratio = perHundred(ours) / perHundred(reference);
  const memoryKiB = median(ours.map(({ rssBytes, legs }) => (rssBytes ?? Number.NaN) / legs / 1024));
  console.log(
    `\nCPU of a core per 100 legs: parley ${perHundred(ours).toFixed(1)} %, C ${perHundred(reference).toFixed(1)} %, ` +
      `parley with SRTP ${perHundred(srtp).toFixed(1)} %. The moonshot is 1.5 times C.`,
  );
  const others = median([...ours, ...srtp, ...busy].map(({ othersPercent }) => othersPercent));
  if (others > NOISY_PERCENT) {
    console.log(
      `Other programs took ${others.toFixed(0)} % of a core meanwhile. How late packets were says little about us then: ` +
        `those of the C program were ${medianP99Ms(reference).toFixed(1)} ms late, p99.`,
    );
  }
  return [
    { name: `late_p99_at_${LEGS}_legs`, value: medianP99Ms(ours), max: 5, unit: " ms" },
    { name: `late_p99_at_${ENCRYPTED_LEGS}_srtp_legs`, value: medianP99Ms(srtp), max: 5, unit: " ms" },
    { name: "late_p99_with_main_thread_blocked", value: medianP99Ms(busy), max: 5, unit: " ms" },
    { name: "cpu_per_100_legs", value: perHundred(ours), max: 15, unit: " %" },
    { name: "cpu_ratio_to_c", value: ratio, max: 5, unit: "x" },
    { name: "memory_per_leg", value: memoryKiB, max: 256, unit: " KiB" },
  ];
}

/** Below the goal when more than half of the runs were, and lost nothing: one that lost a packet counts as endless. */
function medianP99Ms(runs: readonly RunFigures[]): number {
  return median(
    runs.map(({ lateP99Ms, lost, lostInbound }) => (lost + lostInbound > 0 ? Number.POSITIVE_INFINITY : lateP99Ms)),
  );
}

function printHead(): void {
  console.log(`\n${"".padEnd(28)} legs   CPU %  /100   late p50    p99    max ms   lost out/in   others %   KiB/leg`);
}

function printRun(run: RunFigures): void {
  const memory = run.rssBytes === null ? "-" : (run.rssBytes / run.legs / 1024).toFixed(0);
  console.log(
    [
      run.name.padEnd(28),
      String(run.legs).padStart(5),
      run.cpuPercent.toFixed(1).padStart(8),
      ((100 * run.cpuPercent) / run.legs).toFixed(1).padStart(6),
      run.lateP50Ms.toFixed(2).padStart(11),
      run.lateP99Ms.toFixed(2).padStart(9),
      run.lateMaxMs.toFixed(2).padStart(9),
      `${run.lost}/${run.lostInbound}`.padStart(14),
      run.othersPercent.toFixed(0).padStart(11),
      memory.padStart(10),
    ].join(""),
  );
}

/** Compiles the two C programs into a folder. Any C compiler named `cc` works. */
async function buildNative(folder: string): Promise<NativePrograms> {
  const [loadGenerator, referenceThread] = await Promise.all(
    ["load-generator", "reference-thread"].map((name) => compile(folder, name)),
  );
  return { loadGenerator: loadGenerator ?? "", referenceThread: referenceThread ?? "" };
}

async function compile(folder: string, name: string): Promise<string> {
  const program = join(folder, name);
  await promisify(execFile)("cc", ["-O2", "-Wall", "-Werror", "-o", program, join(SOURCES, `${name}.c`), "-lm"]);
  return program;
}

/** Our media thread, with its whole process pinned to one core, to measure what a core carries. */
function ourThread(folder: string, keys: readonly LegKeys[] = []): ThreadUnderTest {
  return startingOurs(keys.length === 0 ? "parley" : "parley, SRTP", folder, keys, { blocks: false, core: CORE });
}

/** Our media thread beside a main thread that is busy for 30 of every 100 ms, on whichever core is free. */
function ourThreadBesideBusyMain(folder: string): ThreadUnderTest {
  return startingOurs("parley, main thread blocked", folder, [], { blocks: true, core: null });
}

function referenceThread(program: string): ThreadUnderTest {
  return { name: "C", start: async (remotePorts) => startProgram(program, remotePorts.map(String), CORE) };
}

function startingOurs(
  name: string,
  folder: string,
  keys: readonly LegKeys[],
  { blocks, core }: { blocks: boolean; core: Core },
): ThreadUnderTest {
  const entry = fileURLToPath(new URL("./our-thread.ts", import.meta.url));
  const planFile = join(folder, "plan.json");
  return {
    name,
    async start(remotePorts) {
      await writeFile(planFile, JSON.stringify(planThread(remotePorts, keys, blocks)));
      return startProgram(process.execPath, [entry, planFile], core);
    },
  };
}
