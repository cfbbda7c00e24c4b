import assert from "node:assert/strict";
import type { Dial, LegEnd } from "../carrier.ts";
import type { SimulatedLegState } from "./simulated-leg.ts";

/** What the network remembers of one dial. */
export interface DialRecord {
  readonly dialId: string;
  readonly callId: string;
  readonly to: string;
  readonly dialedAtMs: number;
  /** How often this dialId was placed. Only the first one rang. */
  readonly placedCount: number;
  readonly states: readonly { readonly name: SimulatedLegState["phase"]; readonly atMs: number }[];
  readonly end: LegEnd | null;
}

export interface NetworkCounts {
  /** Dials that reached a callee. */
  readonly dialed: number;
  /** Dials refused because their dialId had been placed before. */
  readonly duplicates: number;
  /** Dials refused because their dialId had been ended before it arrived. */
  readonly barred: number;
  /** Legs that have not ended. */
  readonly live: number;
}

type WritableRecord = { -readonly [Key in keyof DialRecord]: DialRecord[Key] } & {
  states: { name: SimulatedLegState["phase"]; atMs: number }[];
};

/** Whether a dial rings, or why it does not. */
export type Admission = "rings" | "duplicate" | "barred";

/**
 * What was dialed, for tests that count it. Records of ended legs are forgotten, oldest end first, when there are more
 * than `recordsMax` in all, and a dialId is recognised as long as its record is kept. The counts are never forgotten.
 */
export class DialLog {
  readonly #recordsMax: number;
  readonly #records = new Map<string, WritableRecord>();
  readonly #endedDialIds = new Set<string>();
  readonly #barredDialIds = new Set<string>();
  readonly #counts = { dialed: 0, duplicates: 0, barred: 0 };

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
  }

  admit({ dialId, callId, to }: Dial, atMs: number): Admission {
    const known = this.#records.get(dialId);
    if (known !== undefined) {
      known.placedCount += 1;
      this.#counts.duplicates += 1;
      return "duplicate";
    }
    if (this.#barredDialIds.has(dialId)) {
      this.#counts.barred += 1;
      return "barred";
    }
    this.#records.set(dialId, { dialId, callId, to, dialedAtMs: atMs, placedCount: 1, states: [], end: null });
    this.#counts.dialed += 1;
    this.#forgetOldest();
    return "rings";
  }

  enter(dialId: string, state: SimulatedLegState, atMs: number): void {
    const record = this.#records.get(dialId);
    assert(record !== undefined, "a leg that has not ended keeps its record");
    record.states.push({ name: state.phase, atMs });
    if (state.phase !== "ended") return;
    record.end = state.end;
    this.#endedDialIds.add(dialId);
    this.#forgetOldest();
  }

  /**
   * Prevents an unused dialId from ever ringing. A dying worker's request may still be in flight when another
   * worker asks for its end; without this the phone would ring after the network had said that the leg is gone.
   */
  bar(dialId: string): void {
    if (this.#records.has(dialId)) return;
    this.#barredDialIds.add(dialId);
    if (this.#barredDialIds.size > this.#recordsMax) takeFirst(this.#barredDialIds);
  }

  /** Copies of the records that are kept, in the order of their dials. */
  records(): readonly DialRecord[] {
    return [...this.#records.values()].map((record) => ({ ...record, states: [...record.states] }));
  }

  counts(): NetworkCounts {
    return { ...this.#counts, live: this.#records.size - this.#endedDialIds.size };
  }

  #forgetOldest(): void {
    while (this.#records.size > this.#recordsMax) {
      const dialId = takeFirst(this.#endedDialIds);
      if (dialId === undefined) return;
      this.#records.delete(dialId);
    }
  }
}

function takeFirst(dialIds: Set<string>): string | undefined {
  const [first] = dialIds;
  if (first !== undefined) dialIds.delete(first);
  return first;
}
