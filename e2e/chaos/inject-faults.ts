import { setTimeout as sleep } from "node:timers/promises";
import { run } from "@parley/server/platform/database/database";
import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import type { Fault } from "./chaos-plan.ts";
import type { Installation } from "./installation.ts";
import type { KillPoint } from "./kill-points.ts";
import type { Load } from "./load.ts";
import type { PlanClock } from "./plan-clock.ts";
import type { Member } from "./supervised-programs.ts";

export type VictimKind = "api" | "worker" | "database" | "pause";

/** What was done to which process, and how much work it had at that moment; null when that is unknown. */
export interface InjectedFault {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly kind: VictimKind;
  readonly name: string;
  readonly inFlight: number | null;
  /** Of the worker that was killed or paused. */
  readonly serial: number | null;
  /** When the database answered again; null for other processes. */
  readonly backAtMs: Promise<number> | null;
  /** The point of a call at which it was killed; null if it was random. */
  readonly point: string | null;
}

const POINT_WITHIN_MS = 60_000;
const WORK_WITHIN_MS = 60_000;
const WORK_LOOK_MS = 50;
const BACK_LOOK_MS = 1_000;
const LOOK_WITHIN_MS = 400;
const REQUEST_WITHIN_MS = 1_500;
const STOP_TRIES_MAX = 25;
const STOP_LOOK_MS = 30;

type DatabaseFault = Extract<Fault, { kind: "kill_database" }>;

/** The chosen process, or the next of its kind that is up: killing one that has not started shows nothing. */
function firstUp(members: readonly Member[], index: number): Member | null {
  const turned = [...members.slice(index), ...members.slice(0, index)];
  return turned.find((member) => member.isUp && !member.isPaused) ?? null;
}

/** A fault between two requests proves little: waits for one to begin, and then a little longer. */
async function waitForRequests(load: Load, apiIndex: number | null, delayMs: number): Promise<void> {
  const giveUpAtMs = Date.now() + REQUEST_WITHIN_MS;
  while (load.openRequests(apiIndex) === 0 && Date.now() < giveUpAtMs) await sleep(1);
  await sleep(delayMs);
}

/** Carries out the faults at their times. Resolves when the last one is over and everything runs again. */
export async function injectFaults(
  installation: Installation,
  load: Load,
  faults: readonly Fault[],
  clock: PlanClock,
): Promise<InjectedFault[]> {
  const injected: InjectedFault[] = [];
  const pauses: Promise<void>[] = [];
  const note = (
    kind: VictimKind,
    name: string,
    inFlight: number | null,
    { serial = null, point = null, atMs = Date.now(), backAtMs = null }: Partial<InjectedFault> = {},
  ) => injected.push({ atMs, kind, name, inFlight, serial, point, backAtMs });

  /** A worker without work is not worth killing: waits until one is up and has some. */
  async function killWorker(index: number): Promise<void> {
    for (const giveUpAtMs = Date.now() + WORK_WITHIN_MS; ; await sleep(WORK_LOOK_MS)) {
      const worker = firstUp(installation.workers, index);
      const inFlight = worker && (await countRuns(installation, worker.serial));
      const isLast = Date.now() > giveUpAtMs;
      if (!isLast && (!worker || inFlight === 0)) continue;
      const { serial } = worker ?? {};
      if (worker?.kill()) note("worker", worker.name, inFlight, { serial: serial ?? null });
      return;
    }
  }

  /** The first worker that reaches this point is killed there. */
  async function killAt(point: KillPoint): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<{ worker: Member; serial: number; atMs: number } | null>();
    for (const [index, killTrigger] of installation.killTriggers.entries()) {
      const worker = installation.workers[index];
      if (!worker) continue;
      killTrigger.arm(point, () => {
        for (const other of installation.killTriggers) other.disarm();
        resolve({ worker, serial: worker.serial, atMs: Date.now() });
      });
    }
    const giveUp = setTimeout(() => resolve(null), POINT_WITHIN_MS);
    const tripped = await promise;
    clearTimeout(giveUp);
    for (const killTrigger of installation.killTriggers) killTrigger.disarm();
    if (!tripped) return;
    const { worker, serial, atMs } = tripped;
    // Its leases outlive it by some seconds.
    note("worker", worker.name, await countRuns(installation, serial), { serial, atMs, point: point.name });
  }

  async function killApi(index: number, delayMs: number): Promise<void> {
    const api = firstUp(installation.apis, index);
    if (!api) return;
    await waitForRequests(load, installation.apis.indexOf(api), delayMs);
    const inFlight = load.openRequests(installation.apis.indexOf(api));
    if (api.kill()) note("api", api.name, inFlight);
  }

  async function killDatabase({ target, workerToo, delayMs }: DatabaseFault): Promise<void> {
    const inFlight = await countRuns(installation, null);
    const backendPid = target === "backend" ? await findBackend(installation) : null;
    await waitForRequests(load, null, delayMs);
    const pid = backendPid ?? installation.databasePid();
    if (pid === null) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is already down: the pid in its file is that of a process that has ended.
      return;
    }
    const backAtMs = untilBack(installation);
    note("database", backendPid === null ? "postgres" : "a backend of postgres", inFlight, { backAtMs });
    if (workerToo !== null) await killWorker(workerToo);
  }

  async function pauseWorker(index: number, forMs: number): Promise<void> {
    const worker = firstUp(installation.workers, index);
    if (!worker) return;
    const inFlight = await waitForRuns(installation, worker.serial);
    const goOn = await pauseInTransaction(installation, worker);
    if (!goOn) return;
    note("pause", worker.name, inFlight, { serial: worker.serial });
    await sleep(forMs);
    goOn();
  }

  async function inject(fault: Fault): Promise<void> {
    if (fault.kind === "kill_database") await killDatabase(fault);
    else if (fault.kind === "kill_at") await killAt(fault.point);
    else if (fault.kind === "pause_worker") pauses.push(pauseWorker(fault.index, fault.forMs));
    else if (fault.victim === "worker") await killWorker(fault.index);
    else await killApi(fault.index, fault.delayMs);
  }

  for (const fault of faults) {
    await clock.until(fault.atMs);
    await clock.hold(() => inject(fault));
  }
  await Promise.all(pauses);
  return injected;
}

/** Pauses it repeatedly until it is in the middle of a transaction, or finally anywhere. */
async function pauseInTransaction(installation: Installation, worker: Member): Promise<(() => void) | null> {
  for (let tries = 0; tries < STOP_TRIES_MAX; tries += 1) {
    const goOn = worker.pause();
    if (!goOn) return null;
    await sleep(STOP_LOOK_MS);
    const stalled = await look(
      installation,
      `select count(*) as n from pg_stat_activity
      where state = 'idle in transaction' and state_change < clock_timestamp() - interval '${STOP_LOOK_MS - 5} ms'`,
    );
    if (stalled === null || stalled > 0) return goOn;
    goOn();
    await sleep(STOP_LOOK_MS);
  }
  return worker.pause();
}

/** When the database answers again: not the last reply of one that does not know yet that it is lost. */
async function untilBack(installation: Installation): Promise<number> {
  do await sleep(BACK_LOOK_MS);
  while ((await look(installation, "select 1 as n")) === null);
  return Date.now();
}

/** A process of the server that works for us; null if there is none. */
function findBackend(installation: Installation): Promise<number | null> {
  return look(
    installation,
    "select pid as n from pg_stat_activity where application_name = 'parley' order by state_change desc limit 1",
  );
}

/** A pause only matters with calls to lose; waits for some, but not for long. */
async function waitForRuns(installation: Installation, serial: number): Promise<number | null> {
  for (let looks = 0; looks < 20; looks += 1) {
    const inFlight = await countRuns(installation, serial);
    if (inFlight !== null && inFlight > 1) return inFlight;
    await sleep(100);
  }
  return countRuns(installation, serial);
}

/** Live runs of one process, or of all. Null when the database does not answer immediately. */
function countRuns(installation: Installation, serial: number | null): Promise<number | null> {
  return look(
    installation,
    `select count(*) as n from call_runs r join workers w on w.id = r.worker_id
     where r.ended_at is null and r.lease_expires_at > clock_timestamp() and ($1::int is null or w.slots_max = $1)`,
    [serial],
  );
}

/** One number from the database, or null when it does not answer immediately. */
async function look({ db }: Installation, text: string, values: readonly unknown[] = []): Promise<number | null> {
  const answer = run<{ n: bigint | number }>(db, text, values).then(
    ([row]) => (row ? Number(row.n) : null),
    () => null,
  );
  return within(systemClock, LOOK_WITHIN_MS, answer, () => null);
}
