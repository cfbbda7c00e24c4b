import type { NetworkReport } from "@parley/telephony/simulated-network/fetch-report";
import type { Violation } from "./check-run.ts";
import type { FinalCall } from "./final-calls.ts";
import type { Strike } from "./nemesis.ts";

/** How long a callee was left with nobody after a worker was killed. */
export interface Silence {
  readonly callId: string;
  /** Since the kill, or since somebody could do something about it; below zero when it ended before that by itself. */
  readonly ms: number;
  /** Whether at the time of the kill nobody could do anything about it. */
  readonly wasHeldUp: boolean;
}

const SILENCE_MAX_MS = 15_000;
const HOLDS_UP_MS: Readonly<Partial<Record<Strike["kind"], number>>> = {
  // Nobody sweeps for 15 s after the database was away, and it needs some seconds to be back.
  database: 20_000,
  // One that stands still in a transaction keeps its locks until the database loses patience with it.
  pause: 10_000,
};

/** Every leg that a killed worker left behind, and how long the network still had it. */
export function measureSilences(
  strikes: readonly Strike[],
  { records }: NetworkReport,
  calls: readonly FinalCall[],
): Silence[] {
  const killedAtMs = new Map(
    strikes.flatMap(({ kind, serial, atMs }) =>
      kind === "worker" && serial !== null ? [[serial, atMs] as const] : [],
    ),
  );
  const callsById = new Map(calls.map((call) => [call.id, call]));
  return records.flatMap(({ callId, dialedAtMs, states }) => {
    const endedAtMs = states.find(({ name }) => name === "ended")?.atMs ?? Number.POSITIVE_INFINITY;
    const kills = (callsById.get(callId)?.serials ?? []).flatMap((serial) => killedAtMs.get(serial) ?? []);
    // Whoever ended it for the first one may have been killed as well.
    const lastMs = Math.max(...kills.filter((atMs) => atMs >= dialedAtMs && atMs <= endedAtMs));
    if (!Number.isFinite(lastMs)) return [];
    const heldUpUntilMs = Math.max(
      ...strikes
        .filter(({ kind, atMs }) => kind in HOLDS_UP_MS && atMs < endedAtMs)
        .map(({ kind, atMs }) => atMs + (HOLDS_UP_MS[kind] ?? 0)),
    );
    return [{ callId, ms: endedAtMs - Math.max(lastMs, heldUpUntilMs), wasHeldUp: heldUpUntilMs > lastMs }];
  });
}

/** A machine that is slow by `pace` takes as much longer. */
export function checkSilences(silences: readonly Silence[], pace: number): Violation[] {
  return silences
    .filter(({ ms }) => ms > SILENCE_MAX_MS * pace)
    .map((silence) => ({ rule: "a callee was left in silence", detail: JSON.stringify(silence) }));
}
