import { isDeepStrictEqual } from "node:util";
import { createRandom, type Random } from "@parley/audio/testing/random";
import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { CALL_CASES } from "./call-cases.ts";
import { findLeaks } from "./find-leaks.ts";
import { type HeldResources, heldResources } from "./held-resources.ts";
import { placeLegs } from "./place-legs.ts";
import { openSoakCarrier, type SoakObserver } from "./soak-carrier.ts";
import { soakTrunks } from "./soak-trunks.ts";
import { type FarEndReport, startFarEnd } from "./start-far-end.ts";

export interface SoakOptions {
  readonly legs: number;
  /** How many legs there are at once. */
  readonly hands: number;
  /** After this many legs everything settles and is checked. */
  readonly legsPerRound: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface SoakRound {
  readonly legs: number;
  readonly held: HeldResources;
}

export interface SoakReport {
  readonly seed: number;
  readonly legs: number;
  readonly seconds: number;
  /** How the legs ended, by cause. */
  readonly causes: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
  /** After each round, with the carrier open and no leg on it. The first is after the warm-up. */
  readonly rounds: readonly SoakRound[];
  readonly violations: readonly string[];
}

/** Every case some times, so that all code is loaded and every pool and cache has its usual size. */
const WARM_UP_PER_CASE = 4;
const SETTLE_MAX_MS = 60_000;

/** Places legs of every callCase, many at once, and checks whether anything of them is left afterwards. */
export async function runSoak({ legs, hands, legsPerRound, seed, say }: SoakOptions): Promise<SoakReport> {
  const startedMs = performance.now();
  const random = createRandom(seed);
  const warmUp = shuffled(WARM_UP_PER_CASE * CALL_CASES.length, random);
  const plan = shuffled(legs, random);
  const violations: string[] = [];
  const causes: Record<string, number> = {};
  const rounds: SoakRound[] = [];
  const observer: SoakObserver = { refusals: {}, failures: [] };
  const beforeOpen = heldResources();
  const farEnd = await startFarEnd(seed);
  const trunks = soakTrunks(farEnd.port, await freePorts(2));
  const carrier = await openSoakCarrier(() => trunks, observer, hands);
  const idle = carrier.resourcesHeld();
  try {
    let placed = 0;
    for (const piece of [warmUp, ...inPieces(plan, legsPerRound)]) {
      await placeLegs(carrier, piece, hands, (callCase, outcome) => {
        if (typeof outcome === "string") violations.push(`${callCase.name}: ${outcome}`);
        else causes[outcome.cause] = (causes[outcome.cause] ?? 0) + 1;
      });
      placed += piece.length;
      const left = await settle(carrier, idle);
      if (left !== null) violations.push(`held after ${placed} legs: ${left}`);
      rounds.push({ legs: placed, held: heldResources() });
      say(`${placed} legs, ${violations.length} violations, ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    }
    violations.push(...complaintsOf(await farEnd.report(), [...warmUp, ...plan]));
  } finally {
    await carrier.close();
    await farEnd.stop();
  }
  violations.push(...observer.failures.map((error) => `the carrier reported ${String(error)}`));
  violations.push(...findLeaks(rounds, beforeOpen, heldResources()));
  const seconds = (performance.now() - startedMs) / 1000;
  return { seed, legs, seconds, causes, refusals: observer.refusals, rounds, violations };
}

/** What the callees saw of it: every call that was placed, each played to its end. */
function complaintsOf({ completed, complaints }: FarEndReport, plan: readonly number[]): string[] {
  const counts = CALL_CASES.flatMap(({ name, isSpared = false }, index) => {
    const placed = plan.filter((each) => each === index).length;
    const seen = completed[name] ?? 0;
    return isSpared || seen === placed ? [] : [`${name}: of ${placed} calls the callee saw ${seen} to the end`];
  });
  const spared = CALL_CASES.filter(({ isSpared }) => isSpared).map(({ name }) => name);
  return [...counts, ...complaints.filter((complaint) => !spared.some((name) => complaint.startsWith(`${name}:`)))];
}

/**
 * Waits for the timers of SIP, which outlive their legs by half a minute of its own time. Returns what stays, or null.
 */
async function settle(carrier: SipCarrier, idle: Readonly<Record<string, number>>): Promise<string | null> {
  // A thread that was started is not a leg, and stays for the next one.
  const isLike = (held: Readonly<Record<string, number>>) =>
    isDeepStrictEqual({ ...held, threads: 0 }, { ...idle, threads: 0 });
  for (const endMs = performance.now() + SETTLE_MAX_MS; performance.now() < endMs; ) {
    if (isLike(carrier.resourcesHeld())) return null;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return JSON.stringify(carrier.resourcesHeld());
}

function inPieces<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** This many legs, all callCases equally often, in an order that the seed decides; each by the index of its callCase. */
function shuffled(count: number, random: Random): number[] {
  const mixed = Array.from({ length: count }, (_, index) => index % CALL_CASES.length);
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random.wholeBetween(0, at);
    [mixed[at], mixed[other]] = [mixed[other] as number, mixed[at] as number];
  }
  return mixed;
}
