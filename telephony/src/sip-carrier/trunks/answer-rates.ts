import type { AttemptOutcome } from "../sip-carrier-options.ts";

/** How the calls that showed one number on one trunk went lately. */
export interface AnswerRate {
  readonly trunkId: string;
  readonly callerId: string | null;
  readonly attempts: number;
  readonly answered: number;
  /** Refused as unwanted: a number that is blocked more and more needs a rest. */
  readonly blocked: number;
}

interface Slice {
  readonly startMs: number;
  attempts: number;
  answered: number;
  blocked: number;
}

interface Counted {
  readonly trunkId: string;
  readonly callerId: string | null;
  readonly slices: Slice[];
}

const SLICE_MS = 5 * 60_000;
const SLICES = 12;
/** Caller ids are few; more than this means a different one with every call. */
const NUMBERS_MAX = 2_000;

/** Counts answers per trunk and caller id over the last hour. */
export class AnswerRates {
  readonly #byNumber = new Map<string, Counted>();

  /** Calls that we canceled or that reached no phone say nothing about the number. */
  note({ trunkId, callerId, answered, end }: AttemptOutcome, nowMs: number): void {
    if (!answered && ["canceled", "unavailable", "lost"].includes(end.cause)) return;
    const slice = this.#sliceOf(trunkId, callerId, nowMs);
    slice.attempts += 1;
    if (answered) slice.answered += 1;
    if (end.cause === "blocked") slice.blocked += 1;
  }

  rates(nowMs: number): AnswerRate[] {
    return [...this.#byNumber.values()].flatMap(({ trunkId, callerId, slices }) => {
      const recent = slices.filter(({ startMs }) => startMs > nowMs - SLICES * SLICE_MS);
      if (recent.length === 0) return [];
      const sum = (key: "attempts" | "answered" | "blocked") => recent.reduce((total, slice) => total + slice[key], 0);
      return [{ trunkId, callerId, attempts: sum("attempts"), answered: sum("answered"), blocked: sum("blocked") }];
    });
  }

  #sliceOf(trunkId: string, callerId: string | null, nowMs: number): Slice {
    const key = JSON.stringify([trunkId, callerId]);
    const counted = this.#byNumber.get(key) ?? { trunkId, callerId, slices: [] };
    // In order of last use, so that the first is the one to forget.
    this.#byNumber.delete(key);
    this.#byNumber.set(key, counted);
    if (this.#byNumber.size > NUMBERS_MAX) {
      const [oldest] = this.#byNumber.keys();
      if (oldest !== undefined) this.#byNumber.delete(oldest);
    }
    const startMs = Math.floor(nowMs / SLICE_MS) * SLICE_MS;
    const last = counted.slices.at(-1);
    if (last?.startMs === startMs) return last;
    const slice = { startMs, attempts: 0, answered: 0, blocked: 0 };
    counted.slices.push(slice);
    if (counted.slices.length > SLICES) counted.slices.shift();
    return slice;
  }
}
