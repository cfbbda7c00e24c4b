import { fetchReport } from "@parley/telephony/simulated-network/fetch-report";
import { until } from "../harness/api-client.ts";
import { checkProcesses } from "./check-processes.ts";
import { checkRun, type Violation } from "./check-run.ts";
import { readFinalCalls } from "./final-calls.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { readLegs, type SteadyCalls, startSteadyCalls } from "./steady-calls.ts";
import {
  checkLeaving,
  cutDatabase,
  expectReason,
  jumpClocks,
  replaceProcesses,
  type Scene,
  type Stage,
  stallWorkers,
  untilEnded,
} from "./steady-scenes.ts";

export interface SteadyOptions {
  readonly calls: number;
  readonly outageMs: number;
  say(line: string): void;
}

export interface SteadyReport {
  /** How many calls were on the line after each scene. */
  readonly onTheLine: Readonly<Record<string, number>>;
  /** How many legs a killed worker left behind, and how long the network had the last of them. */
  readonly orphans: number;
  readonly silenceMs: number;
  readonly violations: readonly Violation[];
}

const SCENES: readonly (readonly [name: string, play: Scene])[] = [
  ["all clocks jump by two hours, both ways", jumpClocks],
  ["every worker stands still for 5 s", stallWorkers],
  ["the database is away", cutDatabase],
  ["every api and worker is replaced", replaceProcesses],
];
const WORKERS = 2;
const ORPHANS = 4;
const SILENCE_MAX_MS = 15_000;
const WITHIN_MS = 120_000;

/** Puts callees on the line and runs the usual disturbances of an installation. No callee may notice. */
export async function runSteady({ calls: count, outageMs, say }: SteadyOptions): Promise<SteadyReport> {
  const installation = await openInstallation({ apis: 2, workers: WORKERS, speed: 1, isCuttable: true });
  try {
    const steady = await startSteadyCalls(installation, count);
    const onTheLine: Record<string, number> = {};
    const found: Violation[] = [];
    const stage: Stage = { installation, steady, outageMs, leaving: [] };
    for (const [name, play] of SCENES) {
      const startedAtMs = Date.now();
      found.push(...(await play(stage)));
      onTheLine[name] = await steady.countOnTheLine();
      const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(0);
      say(`${name}: ${onTheLine[name]} of ${count} still on the line after ${seconds} s`);
    }
    const left = await killNewWorker(installation);
    say(`a worker was killed: ${left.orphans} legs left behind, gone ${(left.silenceMs / 1000).toFixed(1)} s after`);
    const askedAtMs = await steady.hangUp();
    const calls = await untilEnded(installation, null);
    const { host, port } = installation.network;
    const network = await fetchReport(host, port);
    const violations = [
      ...found,
      ...left.violations,
      ...(await checkLeaving(stage.leaving)),
      ...(await checkCut(installation, steady, askedAtMs)),
      ...expectReason(
        calls.filter(({ id }) => steady.ids.includes(id)),
        "api_hangup",
      ),
      ...(await checkRun({ db: installation.db, network, histories: [], pausedMs: new Map() })),
      ...checkProcesses(installation.members),
    ];
    return { onTheLine, orphans: left.orphans, silenceMs: left.silenceMs, violations };
  } finally {
    await installation.close();
  }
}

/** A leg that ended before a hang-up was cut. */
async function checkCut(installation: Installation, steady: SteadyCalls, askedAtMs: number): Promise<Violation[]> {
  return (await readLegs(installation, steady.ids))
    .filter(({ states }) => (states.find(({ name }) => name === "ended")?.atMs ?? askedAtMs) < askedAtMs)
    .map((leg) => ({ rule: "a call was cut", detail: JSON.stringify(leg) }));
}

/** Kills one of the workers that took over, with callees on the line, and waits until the network has none of them. */
async function killNewWorker(installation: Installation) {
  const steady = await startSteadyCalls(installation, ORPHANS);
  const calls = await until(
    async () =>
      (await readFinalCalls(installation.db)).filter(({ id, state }) => steady.ids.includes(id) && state === "talking"),
    ({ length }) => length === ORPHANS,
    WITHIN_MS,
  );
  const victim = installation.workers.find(({ serial }) => calls.some(({ serials }) => serials.includes(serial)));
  if (!victim) throw new Error("no worker has a call");
  const orphaned = calls.filter(({ serials }) => serials.includes(victim.serial)).map(({ id }) => id);
  victim.kill();
  const killedAtMs = Date.now();
  const legs = await until(
    () => readLegs(installation, orphaned),
    (seen) => seen.every(({ states }) => states.at(-1)?.name === "ended"),
    WITHIN_MS,
  );
  const silenceMs = Math.max(...legs.map(({ states }) => (states.at(-1)?.atMs ?? 0) - killedAtMs));
  await steady.hangUp();
  const lost = (await untilEnded(installation, steady.ids)).filter(({ id }) => orphaned.includes(id));
  const violations = expectReason(lost, "worker_lost");
  if (silenceMs > SILENCE_MAX_MS) violations.push({ rule: "a callee was left in silence", detail: `${silenceMs} ms` });
  return { orphans: orphaned.length, silenceMs, violations };
}
