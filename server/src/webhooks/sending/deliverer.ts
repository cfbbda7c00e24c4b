import type { Clock } from "@parley/time/clock";
import type { Database } from "../../platform/database/database.ts";
import { CommitOutcomeUnknown, isDatabaseAway } from "../../platform/database/failures.ts";
import {
  type ClaimedDelivery,
  type ClaimLimits,
  claimDeliveries,
  findNextDueMs,
  releaseClaims,
} from "./claim-store.ts";
import { CONCURRENCY_MAX, FAILURES_TO_OPEN } from "./endpoint-health.ts";
import type { EndpointAlert } from "./notices.ts";
import { type FinishedAttempt, recordAttempts } from "./record-attempts.ts";
import { type AttemptOutcome, type SendDeps, sendDelivery } from "./send-delivery.ts";

export interface DelivererDeps extends SendDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** From 0 to 1. */
  random(): number;
  /** Concurrent requests, over all endpoints. */
  readonly slotsMax?: number;
  /** How long it waits before it polls when it was not notified. */
  readonly lookAgainMs?: number;
  onAttempt?(outcome: AttemptOutcome): void;
  onNotice(notice: EndpointAlert): void;
  onError(error: unknown): void;
}

/** With at most ten requests per endpoint, and one to a dead one, many endpoints must fail together to fill this. */
const SLOTS_MAX = 512;
/** The maximum delay after a lost notification. */
const LOOK_AGAIN_MS = 2000;
/** An attempt takes at most 15 seconds; what was claimed for longer is the claim of a process that died. */
export const LEASE_MS = 25_000;
/** Attempts that end together are written together; more would delay the next ones to the same endpoint. */
const BATCH_MS = 15;
const BATCH_ROWS_MAX = 200;
const TROUBLE_MS = 1000;
const FINISH_WITHIN_MS = 5000;

/**
 * Claims due deliveries, attempts them and records the results, one turn after the other: what ended is
 * written, the places that got free are filled, and then it sleeps until something ends, arrives or becomes due.
 */
export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #underWay = new Map<ClaimedDelivery, Promise<void>>();
  readonly #calledOff = new AbortController();
  #finished: FinishedAttempt[] = [];
  #turning: Promise<void> | null = null;
  #wantsTurn = false;
  #isStopping = false;
  /** The endpoint after which the next claim looks, so that each has its turn. */
  #lookAfter = "";
  #cancelTimer: () => void = () => undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  get #lookAgainMs(): number {
    return this.#deps.lookAgainMs ?? LOOK_AGAIN_MS;
  }

  /** Something may be due. */
  wake(): void {
    this.#wantsTurn = true;
    if (this.#turning || this.#isStopping) return;
    this.#turning = this.#turnUntilIdle().finally(() => {
      this.#turning = null;
    });
  }

  /** The same, debounced for bursts of notifications. */
  wakeSoon(): void {
    this.#wakeIn(BATCH_MS);
  }

  /** Resolves when nothing is pending and every result is recorded. */
  async settled(): Promise<void> {
    while (this.#turning || this.#underWay.size > 0 || this.#finished.length > 0) {
      await Promise.all([this.#turning, ...this.#underWay.values()]);
      if (this.#finished.length > 0) this.wake();
    }
  }

  /** Claims no more. Requests under way get some seconds; unanswered ones are returned untried. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer();
    await this.#turning;
    const cancel = this.#deps.clock.setTimer(FINISH_WITHIN_MS, () => this.#calledOff.abort());
    const left = [...this.#underWay.keys()];
    await Promise.all(this.#underWay.values());
    cancel();
    const done = new Set(this.#finished.map(({ claimed }) => claimed));
    const untried = left.filter((claimed) => !done.has(claimed));
    try {
      await this.#writeFinished();
      if (untried.length > 0) await releaseClaims(this.#deps.db, untried);
    } catch (error) {
      // Their leases expire.
      this.#deps.onError(error);
    }
  }

  async #turnUntilIdle(): Promise<void> {
    try {
      let claimedCount = 0;
      while (this.#wantsTurn && !this.#isStopping) {
        this.#wantsTurn = false;
        await this.#writeFinished();
        claimedCount = await this.#fillPlaces();
      }
      // The end of an attempt wakes it anyway.
      if (claimedCount > 0) this.#wakeIn(this.#lookAgainMs);
      else await this.#sleepUntilDue();
    } catch (error) {
      this.#deps.onError(error);
      this.#wakeIn(TROUBLE_MS);
    }
  }

  async #writeFinished(): Promise<void> {
    while (this.#finished.length > 0) {
      const batch = firstOfEach(this.#finished, BATCH_ROWS_MAX);
      const notices = await this.#write(batch);
      const written = new Set(batch);
      this.#finished = this.#finished.filter((attempt) => !written.has(attempt));
      for (const notice of notices) this.#deps.onNotice(notice);
    }
  }

  /**
   * While the database is away attempts are kept for the next turn. One that it refuses to take must not keep the others
   * waiting indefinitely: it is left out, and the event is sent again when its claim ends.
   */
  async #write(batch: readonly FinishedAttempt[]): Promise<EndpointAlert[]> {
    const { db, random, onError } = this.#deps;
    try {
      return await recordAttempts(db, batch, random);
    } catch (error) {
      if (isDatabaseAway(error) || error instanceof CommitOutcomeUnknown) throw error;
      if (batch.length === 1) {
        onError(error);
        return [];
      }
      const notices: EndpointAlert[] = [];
      for (const attempt of batch) notices.push(...(await this.#write([attempt])));
      return notices;
    }
  }

  async #fillPlaces(): Promise<number> {
    const { slotsMax = SLOTS_MAX } = this.#deps;
    const rowsMax = slotsMax - this.#underWay.size;
    if (rowsMax <= 0) return 0;
    const claimed = await this.#claim({
      rowsMax,
      perEndpointMax: CONCURRENCY_MAX,
      failuresToOpen: FAILURES_TO_OPEN,
      leaseMs: LEASE_MS,
    });
    for (const delivery of claimed) this.#underWay.set(delivery, this.#attempt(delivery));
    return claimed.length;
  }

  /** Goes on where nothing was found until every endpoint was looked at once. */
  async #claim(limits: ClaimLimits): Promise<ClaimedDelivery[]> {
    const { db, clock } = this.#deps;
    const first = this.#lookAfter;
    for (let isAround = false; ; ) {
      const { claimed, next } = await claimDeliveries(db, clock.now(), limits, this.#lookAfter);
      this.#lookAfter = next ?? "";
      isAround ||= this.#lookAfter === "";
      if (claimed.length > 0 || next === null || (isAround && this.#lookAfter >= first)) return claimed;
    }
  }

  async #attempt(claimed: ClaimedDelivery): Promise<void> {
    try {
      const outcome = await sendDelivery(this.#deps, claimed, this.#calledOff.signal);
      this.#finished.push({ claimed, outcome });
      this.#deps.onAttempt?.(outcome);
    } catch (error) {
      if (!this.#calledOff.signal.aborted) this.#deps.onError(error);
    } finally {
      this.#underWay.delete(claimed);
      if (!this.#isStopping) this.#wakeIn(BATCH_MS);
    }
  }

  async #sleepUntilDue(): Promise<void> {
    if (this.#isStopping) return;
    const { db, clock } = this.#deps;
    const dueMs = await findNextDueMs(db);
    const inMs = dueMs === null ? this.#lookAgainMs : dueMs - clock.now();
    // What is due but was not claimed waits for a place, whose end wakes it, or for another process.
    this.#wakeIn(inMs <= 0 ? this.#lookAgainMs : Math.min(inMs, this.#lookAgainMs));
  }

  /** The earliest requested time counts. */
  #wakeIn(delayMs: number): void {
    const dueMs = this.#deps.clock.now() + delayMs;
    if (this.#isStopping || dueMs >= this.#timerDueMs) return;
    this.#cancelTimer();
    this.#timerDueMs = dueMs;
    this.#cancelTimer = this.#deps.clock.setTimer(delayMs, () => {
      this.#timerDueMs = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }
}

/** The first attempts, each of another delivery: one that was claimed twice is written twice, one after the other. */
function firstOfEach(attempts: readonly FinishedAttempt[], max: number): FinishedAttempt[] {
  const seen = new Set<string>();
  return attempts
    .filter(({ claimed }) => {
      const isFirst = !seen.has(claimed.id);
      seen.add(claimed.id);
      return isFirst;
    })
    .slice(0, max);
}
