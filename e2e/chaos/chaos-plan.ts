import { createRandom, type Random } from "@parley/audio/testing/random";
import type { Mode } from "@parley/contract/shared-fields";
import { KILL_POINTS, type KillPoint } from "./kill-points.ts";

/** One call a client wants placed. Without a key it is sent once; with one it is repeated until it is answered. */
export interface PlannedCall {
  readonly ordinal: number;
  readonly atMs: number;
  readonly mode: Mode;
  readonly phoneNumber: string;
  readonly key: string | null;
  /** How many clients send it at the same moment with the same key. */
  readonly copies: number;
  readonly hangUpAfterMs: number | null;
}

export type Fault =
  | {
      readonly kind: "kill";
      readonly atMs: number;
      readonly delayMs: number;
      readonly victim: Victim;
      readonly index: number;
    }
  /** Kills the worker that first reaches a certain point of a call. */
  | { readonly kind: "kill_at"; readonly atMs: number; readonly point: KillPoint }
  | {
      readonly kind: "kill_database";
      /** A killed backend makes the server drop everyone and recover, without a new postmaster. */
      readonly target: "postmaster" | "backend";
      readonly atMs: number;
      readonly delayMs: number;
      readonly workerToo: number | null;
    }
  | { readonly kind: "pause_worker"; readonly atMs: number; readonly index: number; readonly forMs: number };
type Victim = "api" | "worker";

export interface PlanOptions {
  readonly seed: number;
  readonly calls: number;
  readonly seconds: number;
  readonly apis: number;
  readonly workers: number;
  /** Kills only workers. */
  readonly onlyWorkers?: boolean;
}

export interface ChaosPlan {
  readonly calls: readonly PlannedCall[];
  readonly faults: readonly Fault[];
}

// Each round first kills the database and then leaves it alone: sweeping stops for 15 s after it came up, and a pause
// must outlast a lease (10 s) while sweeping is allowed.
const ROUND_MS = 40_000;
const DATABASE_KILLS_MS = [3_500, 9_000] as const;
const PAUSE_AT_MS = 20_000;
const PAUSE_MS = 14_000;
const BLOW_INTO_REQUEST_MS = 20;
const FAULT_EVERY_MS = { min: 1_200, max: 2_200 } as const;
const POINTS_FROM_MS = 1_000;

type Callee = readonly [lastDigits: string, hangUp: boolean];
/** Repeated by weight: who is called, and whether the API hangs up. */
const CALLEES: readonly [Callee, ...Callee[]] = [
  ["0001", true],
  ...repeat<Callee>(5, ["0001", false]),
  ["0002", false],
  ...repeat<Callee>(2, ["0003", false]),
  ["0003", true],
  ["0004", false],
  ["0006", false],
  ...repeat<Callee>(2, ["0009", true]),
  ...repeat<Callee>(2, ["0010", false]),
  ...repeat<Callee>(3, ["0011", false]),
];

/**
 * Everything that will be done, from the seed alone. The results depend on the machine; the attempts do not. Times are
 * those of a fast machine; a slow one stretches them.
 */
export function planChaos(options: PlanOptions): ChaosPlan {
  const random = createRandom(options.seed);
  const calls = Array.from({ length: options.calls }, (_, ordinal) => planCall(options, ordinal, random));
  return { calls, faults: planFaults(options, random) };
}

function planCall({ calls, seconds, seed }: PlanOptions, ordinal: number, random: Random): PlannedCall {
  const [lastDigits, hangUp] = random.pick(CALLEES);
  const hasKey = random.next() < 0.8;
  return {
    ordinal,
    atMs: Math.floor(((ordinal + random.next()) * seconds * 1000) / calls),
    mode: random.next() < 0.65 ? "live" : "test",
    phoneNumber: `+1555${random.wholeBetween(100, 999)}${lastDigits}`,
    key: hasKey ? `chaos-${seed}-${ordinal}` : null,
    copies: hasKey && random.next() < 0.3 ? random.wholeBetween(2, 4) : 1,
    hangUpAfterMs: hangUp ? random.wholeBetween(0, 2_500) : null,
  };
}

function planFaults({ seconds, apis, workers, onlyWorkers = false }: PlanOptions, random: Random): Fault[] {
  const faults: Fault[] = [];
  const endMs = seconds * 1000;
  for (let roundMs = 0; roundMs < endMs && !onlyWorkers; roundMs += ROUND_MS) {
    for (const atMs of DATABASE_KILLS_MS) {
      const target = random.next() < 0.7 ? "postmaster" : "backend";
      const workerToo = random.next() < 0.5 ? random.wholeBetween(0, workers - 1) : null;
      const delayMs = random.wholeBetween(0, BLOW_INTO_REQUEST_MS);
      faults.push({
        kind: "kill_database",
        target,
        atMs: roundMs + atMs + random.wholeBetween(0, 1_500),
        delayMs,
        workerToo,
      });
    }
    const index = random.wholeBetween(0, workers - 1);
    faults.push({ kind: "pause_worker", atMs: roundMs + PAUSE_AT_MS, index, forMs: PAUSE_MS });
  }
  if (!onlyWorkers) faults.push(...planPoints(endMs, random));
  for (let atMs = 1_500; atMs < endMs; atMs += random.wholeBetween(FAULT_EVERY_MS.min, FAULT_EVERY_MS.max)) {
    const victim = onlyWorkers || random.next() < 0.6 ? "worker" : "api";
    const index = random.wholeBetween(0, (victim === "api" ? apis : workers) - 1);
    faults.push({ kind: "kill", atMs, delayMs: random.wholeBetween(0, BLOW_INTO_REQUEST_MS), victim, index });
  }
  return faults.filter(({ atMs }) => atMs < endMs).sort((a, b) => a.atMs - b.atMs);
}

/** Every point once in each round, in another order each time. */
function planPoints(endMs: number, random: Random): Fault[] {
  const faults: Fault[] = [];
  for (let roundMs = 0; roundMs + ROUND_MS / 2 < endMs; roundMs += ROUND_MS) {
    const lastsMs = Math.min(ROUND_MS, endMs - roundMs) - POINTS_FROM_MS;
    const points = KILL_POINTS.map((point) => ({ point, rank: random.next() })).sort((a, b) => a.rank - b.rank);
    for (const [index, { point }] of points.entries())
      faults.push({ kind: "kill_at", atMs: roundMs + POINTS_FROM_MS + (index * lastsMs) / points.length, point });
  }
  return faults;
}

function repeat<T>(times: number, value: T): T[] {
  return Array.from({ length: times }, () => value);
}
