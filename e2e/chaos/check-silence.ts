import type { NetworkReport } from "@parley/telephony/simulated-network/fetch-report";
import type { Violation } from "./check-run.ts";
import type { FinalCall } from "./final-calls.ts";
import type { InjectedFault } from "./inject-faults.ts";
import type { Member } from "./supervised-programs.ts";

/** How long a callee was left alone after a worker was killed. */
export interface Silence {
  readonly callId: string;
  /** When it began, in milliseconds since 1970. */
  readonly leftAtMs: number;
  /** Since the kill, or since another worker could act; negative when it ended before that on its own. */
  readonly ms: number;
  /** Whether no worker could act at the time of the kill. */
  readonly wasHeldUp: boolean;
}

const SILENCE_MAX_MS = 15_000;
// Sweeping stops for 15 s after the database was down, and a worker in the middle of something notices a little later.
const AFTER_DATABASE_MS = 20_000;
// A process that is paused in a transaction keeps its locks until the database times it out.
const AFTER_PAUSE_MS = 10_000;

/** Until when no worker could act for a callee whose worker was killed. */
async function heldUpUntil({ kind, atMs, backAtMs }: InjectedFault): Promise<number> {
  if (kind === "pause") return atMs + AFTER_PAUSE_MS;
  return kind === "database" ? ((await backAtMs) ?? atMs) + AFTER_DATABASE_MS : Number.NEGATIVE_INFINITY;
}

/** Every leg that a killed worker left behind, and how long the network still had it. */
export async function measureSilences(
  injected: readonly InjectedFault[],
  { records }: NetworkReport,
  calls: readonly FinalCall[],
): Promise<Silence[]> {
  const holds = await Promise.all(
    injected.map(async (fault) => ({ fromMs: fault.atMs, untilMs: await heldUpUntil(fault) })),
  );
  const killedAtMs = new Map(
    injected.flatMap(({ kind, serial, atMs }) =>
      kind === "worker" && serial !== null ? [[serial, atMs] as const] : [],
    ),
  );
  const callsById = new Map(calls.map((call) => [call.id, call]));
  return records.flatMap(({ callId, dialedAtMs, states }) => {
    const endedAtMs = states.find(({ name }) => name === "ended")?.atMs ?? Number.POSITIVE_INFINITY;
    const kills = (callsById.get(callId)?.serials ?? []).flatMap((serial) => killedAtMs.get(serial) ?? []);
    // The process that ended it for the first one may have been killed as well.
    const lastMs = Math.max(...kills.filter((atMs) => atMs >= dialedAtMs && atMs <= endedAtMs));
    if (!Number.isFinite(lastMs)) return [];
    const heldUpUntilMs = Math.max(...holds.filter(({ fromMs }) => fromMs < endedAtMs).map(({ untilMs }) => untilMs));
    const leftAtMs = Math.max(lastMs, heldUpUntilMs);
    return [{ callId, leftAtMs, ms: endedAtMs - leftAtMs, wasHeldUp: heldUpUntilMs > lastMs }];
  });
}

/** A period in which a worker was available to look after others. */
export interface Watch {
  readonly fromMs: number;
  readonly toMs: number;
}

const READY = /"time":"([^"]+)"[^\n]*"msg":"ready"/;

/** When each worker was up, by what it printed and by the kills that it suffered. */
export function readWatches(
  workers: readonly Pick<Member, "name" | "outputs">[],
  injected: readonly InjectedFault[],
): Watch[] {
  return workers.flatMap(({ name, outputs }) => {
    const endsMs = injected.filter((fault) => fault.name === name).map(({ atMs }) => atMs);
    return outputs.flatMap((output) => {
      const ready = READY.exec(output())?.[1];
      if (ready === undefined) return [];
      const fromMs = Date.parse(ready);
      return [{ fromMs, toMs: Math.min(...endsMs.filter((atMs) => atMs > fromMs), Number.POSITIVE_INFINITY) }];
    });
  });
}

/**
 * When a leg must be gone: this long after it was left behind, or after a worker came up that was available for as
 * long.
 */
function deadlineOf({ leftAtMs }: Silence, watches: readonly Watch[], maxMs: number): number {
  const beginsMs = watches
    .map(({ fromMs, toMs }) => ({ beginMs: Math.max(leftAtMs, fromMs), toMs }))
    .filter(({ beginMs, toMs }) => toMs - beginMs >= maxMs)
    .map(({ beginMs }) => beginMs);
  return Math.min(...beginsMs) + maxMs;
}

/** A machine that is slow by `pace` takes as much longer. */
export function checkSilences(silences: readonly Silence[], watches: readonly Watch[], pace: number): Violation[] {
  return silences
    .filter((silence) => silence.leftAtMs + silence.ms > deadlineOf(silence, watches, SILENCE_MAX_MS * pace))
    .map((silence) => ({ rule: "a callee was left in silence", detail: JSON.stringify(silence) }));
}
