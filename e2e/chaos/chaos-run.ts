import { setTimeout as sleep } from "node:timers/promises";
import { fetchReport, type NetworkReport } from "@parley/telephony/simulated-network/fetch-report";
import { type PlanOptions, planChaos } from "./chaos-plan.ts";
import { checkProcesses } from "./check-processes.ts";
import { checkRun, type Violation } from "./check-run.ts";
import { checkSilences, measureSilences, readWatches } from "./check-silence.ts";
import { countUnfinished, readFinalCalls } from "./final-calls.ts";
import { type InjectedFault, injectFaults, type VictimKind } from "./inject-faults.ts";
import { type Installation, type InstallationOptions, openInstallation } from "./installation.ts";
import { type Load, startLoad } from "./load.ts";
import { PlanClock } from "./plan-clock.ts";

export interface ChaosOptions extends PlanOptions, InstallationOptions {
  readonly quietWithinMs: number;
  /** How long after the last call's end the network may still have one of our legs. */
  readonly legsGoneWithinMs: number;
  say(line: string): void;
}

export interface ChaosReport {
  readonly seed: number;
  readonly calls: number;
  readonly injected: readonly InjectedFault[];
  readonly faultsInFlight: number;
  readonly faultsByKind: Readonly<Record<VictimKind, number>>;
  /** How often a worker was killed at each point of a call. */
  readonly points: Readonly<Record<string, number>>;
  /** How many legs killed workers left behind, and the longest that one of them lasted without an excuse. */
  readonly orphans: number;
  readonly silenceMaxMs: number;
  readonly endReasons: Readonly<Record<string, number>>;
  readonly replies: Readonly<Record<string, number>>;
  readonly failedStarts: number;
  /** From the last answer to the last call's end. */
  readonly quietMs: number;
  readonly totalMs: number;
  readonly violations: readonly Violation[];
}

// How long starting five processes at once takes on two idle cores. If it takes longer, everything is slowed down by as
// much.
const START_MS = 4_000;
const PACE_MAX = 2.5;
const EVERYONE_UP_WITHIN_MS = 180_000;
const HONESTLY_UNKNOWN = "not known whether it was saved";

/** Opens an installation, kills its processes under load, waits until it is quiet and checks what is left. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const openedAtMs = Date.now();
  options.say(`seed ${options.seed}`);
  const plan = planChaos(options);
  const installation = await openInstallation(options);
  try {
    const startedAtMs = Date.now();
    const pace = Math.min(PACE_MAX, Math.max(1, installation.startedInMs / START_MS));
    options.say(
      `up after ${startedAtMs - openedAtMs} ms; placing ${plan.calls.length} calls in ${Math.round(options.seconds * pace)} s or more`,
    );
    const clock = new PlanClock(pace);
    const load = startLoad(installation, plan.calls, clock);
    const injected = await injectFaults(installation, load, plan.faults, clock);
    await load.finished;
    const answeredAtMs = Date.now();
    options.say(`all answered and the last fault injected after ${answeredAtMs - startedAtMs} ms; waiting for quiet`);
    await Promise.all(installation.members.map((member) => member.whenUp(EVERYONE_UP_WITHIN_MS)));
    const isQuiet = await waitForQuiet(installation, options.quietWithinMs);
    const quietMs = Date.now() - answeredAtMs;
    const network = await waitForLegs(installation, options.legsGoneWithinMs);
    const pausedMs = new Map(
      plan.faults.flatMap((fault) =>
        fault.kind === "pause_worker"
          ? injected.filter(({ kind }) => kind === "pause").map(({ serial }) => [serial ?? 0, fault.forMs] as const)
          : [],
      ),
    );
    const calls = await readFinalCalls(installation.db);
    const silences = await measureSilences(injected, network, calls);
    const violations = [
      ...(isQuiet ? [] : [{ rule: "not quiet in time", detail: `after ${quietMs} ms calls are still unfinished` }]),
      ...(await checkRun({ db: installation.db, network, histories: load.histories, pausedMs })),
      ...checkSilences(silences, readWatches(installation.workers, injected), pace),
      ...checkClients(load),
      ...checkProcesses(installation.members),
    ];
    return {
      seed: options.seed,
      calls: calls.length,
      injected,
      faultsInFlight: injected.filter(({ inFlight }) => (inFlight ?? 0) > 0).length,
      faultsByKind: { api: 0, worker: 0, database: 0, pause: 0, ...countBy(injected.map(({ kind }) => kind)) },
      points: countBy(injected.flatMap(({ point }) => point ?? [])),
      orphans: silences.length,
      silenceMaxMs: Math.max(0, ...silences.filter(({ wasHeldUp }) => !wasHeldUp).map(({ ms }) => ms)),
      endReasons: countBy(calls.map(({ endReason }) => endReason ?? "none")),
      replies: Object.fromEntries(load.replies),
      failedStarts: installation.members.reduce((sum, member) => sum + member.failedStarts, 0),
      quietMs,
      totalMs: Date.now() - openedAtMs,
      violations,
    };
  } finally {
    await installation.close();
  }
}

async function waitForQuiet({ db }: Installation, withinMs: number): Promise<boolean> {
  const giveUpAtMs = Date.now() + withinMs;
  while (Date.now() < giveUpAtMs) {
    if ((await countUnfinished(db)) === 0) return true;
    await sleep(250);
  }
  return false;
}

/** The network's report once no leg is live, or as it stands when they should have been gone. */
async function waitForLegs({ network }: Installation, withinMs: number): Promise<NetworkReport> {
  const giveUpAtMs = Date.now() + withinMs;
  for (;;) {
    const report = await fetchReport(network.host, network.port);
    if (report.counts.live === 0 || Date.now() > giveUpAtMs) return report;
    await sleep(250);
  }
}

/** A 500 is allowed only if the service says that it cannot know. */
export function checkClients({ complaints, histories }: Load): Violation[] {
  const broken = histories.flatMap(({ answers, planned }) =>
    answers.flatMap((answer) =>
      answer.kind === "reply" && answer.status === 500 && !answer.text.includes(HONESTLY_UNKNOWN)
        ? [{ rule: "the service broke", detail: `call ${planned.ordinal}: ${answer.text}` }]
        : [],
    ),
  );
  return [...complaints.map((detail) => ({ rule: "a client complains", detail })), ...broken];
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
