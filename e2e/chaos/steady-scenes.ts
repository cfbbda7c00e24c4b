import { setTimeout as sleep } from "node:timers/promises";
import { ask, until } from "../harness/api-client.ts";
import type { Violation } from "./check-run.ts";
import { type FinalCall, readFinalCalls } from "./final-calls.ts";
import type { Installation } from "./installation.ts";
import { placeCalls, readLegs, type SteadyCalls } from "./steady-calls.ts";
import type { Member } from "./supervised-programs.ts";

export interface Stage {
  readonly installation: Installation;
  readonly steady: SteadyCalls;
  readonly outageMs: number;
  /** Processes that were asked to end when their calls have, each with its end. */
  readonly leaving: { readonly member: Member; readonly gone: Promise<void> }[];
}

/** Disturbances of an installation with callees on the line, and what it handled wrongly. */
export type Scene = (stage: Stage) => Promise<Violation[]>;

const TWO_HOURS_MS = 2 * 60 * 60 * 1000;
const STALL_MS = 5_000;
const NEW_CALLS = 4;
const WITHIN_MS = 120_000;
const LOOK_MS = 500;
/** Talks for twelve seconds and hangs up. */
const TALKATIVE_PERSON = "0010";
const BUSY_PERSON = "0002";

/** The wall clocks of all processes jump; what must not depend on them continues, and new calls are placed. */
export async function jumpClocks({ installation }: Stage): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const jumpMs of [TWO_HOURS_MS, -2 * TWO_HOURS_MS, TWO_HOURS_MS]) {
    for (const member of installation.members) await installation.disturb(member, { jumpMs });
    const ids = await placeCalls(installation, NEW_CALLS, BUSY_PERSON);
    found.push(...expectReason(await untilEnded(installation, ids), "busy"));
  }
  return found;
}

/** All at the same time, for half as long as a lease lasts. */
export async function stallWorkers({ installation }: Stage): Promise<Violation[]> {
  const { workers, disturb } = installation;
  await Promise.all(workers.map((worker) => disturb(worker, { stallMs: STALL_MS })));
  const ids = await placeCalls(installation, NEW_CALLS, BUSY_PERSON);
  return expectReason(await untilEnded(installation, ids), "busy");
}

/**
 * Every process is cut off for longer than a lease lasts. Callees who hang up meanwhile are billed for what was talked.
 */
export async function cutDatabase({ installation, outageMs }: Stage): Promise<Violation[]> {
  const { cuttable, apiUrls } = installation;
  if (!cuttable) throw new Error("the database of this installation cannot be cut off");
  const ids = await placeCalls(installation, NEW_CALLS, TALKATIVE_PERSON);
  await until(
    () => readLegs(installation, ids),
    (legs) => legs.length === ids.length && legs.every(({ states }) => states.at(-1)?.name === "talking"),
    WITHIN_MS,
  );
  cuttable.cut();
  const backAtMs = Date.now() + outageMs;
  const readiness = new Set<number>();
  for (; Date.now() < backAtMs; await sleep(LOOK_MS)) readiness.add((await ask(apiUrls[0], "/readyz")).status);
  cuttable.restore();
  const restoredAtMs = Date.now();
  const calls = await untilEnded(installation, ids);
  const legs = await readLegs(installation, ids);
  const late = legs.filter(({ states }) => (states.at(-1)?.atMs ?? 0) > restoredAtMs);
  await until(
    () => ask(apiUrls[0], "/readyz"),
    ({ status }) => status === 200,
    WITHIN_MS,
  );
  return [
    ...expectReason(calls, "callee_hangup"),
    ...(readiness.has(503)
      ? []
      : [{ rule: "nobody noticed that the database was away", detail: [...readiness].join() }]),
    ...late.map((leg) => ({
      rule: "a callee could not hang up while the database was away",
      detail: JSON.stringify(leg),
    })),
  ];
}

/** Like a deployment: new workers first, then the old ones are asked to end; the api processes one after the other. */
export async function replaceProcesses({ installation, leaving }: Stage): Promise<Violation[]> {
  const old = [...installation.workers];
  const oldSerials = new Set(old.map(({ serial }) => serial));
  for (const _ of old) await installation.addWorker();
  for (const member of old) leaving.push({ member, gone: member.dismiss("SIGTERM", WITHIN_MS) });
  await Promise.all(old.map((worker) => untilPrinted(worker, '"msg":"stopping"')));
  const found: Violation[] = [];
  for (const api of installation.apis) {
    const { serial } = api;
    api.restart();
    const ids = await placeCalls(installation, NEW_CALLS, BUSY_PERSON);
    await until(async () => api.isUp && api.serial !== serial, Boolean, WITHIN_MS);
    const calls = await untilEnded(installation, ids);
    found.push(...expectReason(calls, "busy"));
    for (const call of calls.filter(({ serials }) => serials.some((one) => oldSerials.has(one))))
      found.push({ rule: "a worker that was asked to end took a new call", detail: call.id });
  }
  return found;
}

/** They must not be cut short, and nothing must be left for another worker to end. */
export async function checkLeaving(leaving: Stage["leaving"]): Promise<Violation[]> {
  await Promise.all(leaving.map(({ gone }) => gone));
  return leaving
    .filter(({ member }) => !member.outputs.at(-1)?.().includes('"msg":"stopped"'))
    .map(({ member }) => ({ rule: "a worker that was asked to end did not end by itself", detail: member.name }));
}

async function untilPrinted(member: Member, words: string): Promise<void> {
  await until(async () => member.output.includes(words), Boolean, WITHIN_MS);
}

export async function untilEnded({ db }: Installation, ids: readonly string[] | null): Promise<FinalCall[]> {
  return until(
    async () => (await readFinalCalls(db)).filter(({ id }) => ids === null || ids.includes(id)),
    (calls) => calls.every(({ state }) => state === "ended"),
    WITHIN_MS,
  );
}

export function expectReason(calls: readonly FinalCall[], reason: string): Violation[] {
  return calls
    .filter(({ endReason }) => endReason !== reason)
    .map(({ id, endReason }) => ({ rule: `a call did not end as ${reason}`, detail: `${id} ${endReason}` }));
}
