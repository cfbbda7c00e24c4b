import type { EndReason } from "@parley/contract/calls";
import { makeId } from "@parley/contract/ids";
import type { CallLeg, Carrier } from "@parley/telephony/carrier";
import type { Clock } from "@parley/telephony/clock";
import type { CallRow } from "../calls/call-record.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import { extendHold, needsMoreCredit, paidSeconds } from "./credit-watch.ts";
import { persist } from "./persist.ts";
import { commitEnd, commitRequeue, commitRinging, commitTalking, commitWriteAhead } from "./run-commits.ts";
import { type RunEffect, type RunEvent, type RunState, stepRun } from "./run-machine.ts";
import { LeaseLost } from "./run-store.ts";

export interface RunCallDeps {
  readonly db: Database;
  readonly carrier: Carrier;
  readonly clock: Clock;
  /** A clock that never jumps, for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  /** Asked once more before anything is dialed: why the number may not be called now, or null. */
  whyNotDial(call: CallRow): Promise<EndReason | null>;
}

const CLOSE_WAIT_MS = 5000;
const CREDIT_LOOK_MS = 5000;

/**
 * Conducts one claimed call. Events are stepped in order at once; what they lead to in the database is written in the
 * same order, however slow the database is, while the phone goes on.
 */
export class CallRun {
  readonly callId: string;
  /** Resolves when nothing of the run is left: no leg, no timer, no pending write. Never rejects. */
  readonly finished: Promise<void>;
  readonly #deps: RunCallDeps;
  readonly #finish: () => void;
  readonly #abandoned = new AbortController();
  readonly #timers = new Map<string, () => void>();
  #state: RunState = { phase: "waiting" };
  #call: CallRow;
  #leg: CallLeg | null = null;
  #answeredAtMs: number | null = null;
  #endedAtMs: number | null = null;
  #writes: Promise<void> = Promise.resolve();

  constructor(deps: RunCallDeps, claimed: CallRow, sendInMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#deps = deps;
    this.#call = claimed;
    this.callId = claimed.id;
    this.finished = promise;
    this.#finish = resolve;
    this.#setTimer("send", sendInMs, { type: "send_time.reached" });
  }

  /** Whether the callee's phone may be ringing or in use: a stopping worker waits for these. */
  get isLive(): boolean {
    return this.#state.phase !== "waiting" && this.#state.phase !== "over";
  }

  tell(event: RunEvent): void {
    if (event.type === "answered") this.#answeredAtMs ??= this.#deps.monotonicMs();
    if (event.type === "ended") this.#endedAtMs ??= this.#deps.monotonicMs();
    const [next, effects] = stepRun(this.#state, event);
    this.#state = next;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: RunEffect): void {
    const { db } = this.#deps;
    switch (effect.type) {
      case "dial":
        return this.#write(() => this.#dial());
      case "requeue":
        this.#clearTimers();
        this.#write(() => this.#persist(() => commitRequeue(db, this.#call)));
        return this.#finishAfterWrites();
      case "commit_ringing":
        return this.#write(() => this.#persist(() => commitRinging(db, this.#call)));
      case "commit_talking":
        this.#watchCredit();
        return this.#write(() => this.#persist(() => commitTalking(db, this.#call, this.#agoMs(this.#answeredAtMs))));
      case "hang_up":
        return this.#hangUp();
      case "start_timer":
        return this.#startTimer(effect.timer);
      case "commit_end": {
        this.#endedAtMs ??= this.#deps.monotonicMs();
        this.#clearTimers();
        const talkedMs = effect.answered ? this.#endedAtMs - (this.#answeredAtMs ?? this.#endedAtMs) : null;
        this.#write(() =>
          this.#persist(() =>
            commitEnd(
              db,
              this.#call,
              this.#deps.carrier.name,
              effect.verdict,
              effect.leg,
              talkedMs,
              this.#agoMs(this.#endedAtMs),
            ),
          ),
        );
        return this.#finishAfterWrites();
      }
      case "abandon":
        this.#clearTimers();
        this.#abandoned.abort(new LeaseLost(`call ${this.callId} was lost`));
        this.#hangUp();
        return this.#finishAfterWrites();
    }
  }

  /** Nothing is sent before the write-ahead is committed, and nothing after the run turned to closing meanwhile. */
  async #dial(): Promise<void> {
    const { db, carrier } = this.#deps;
    const refused = await this.#persist(() => this.#deps.whyNotDial(this.#call));
    if (refused) return this.tell({ type: "gate.refused", reason: refused });
    const dialId = makeId("dial");
    const written = await this.#persist(() => commitWriteAhead(db, this.#call, carrier.name, dialId));
    if (!written) return this.tell({ type: "write_ahead.refused" });
    if (!this.#isPhase("dialing")) return;
    try {
      const { id: callId, phone_number: to, from_number: from, simulation } = this.#call;
      const plan = simulation
        ? { simulation: simulation as NonNullable<Parameters<Carrier["place"]>[0]["simulation"]> }
        : {};
      const leg = await carrier.place({ callId, dialId, to, from, ...plan });
      this.#leg = leg;
      leg.onEvent((event) => this.tell(event));
      this.tell({ type: "dial.sent" });
      if (!this.#isPhase("dialing", "ringing", "talking")) this.#hangUp();
    } catch (error) {
      this.#deps.log.warn({ callId: this.callId, error }, "the carrier could not be reached");
      this.tell({ type: "dial.failed" });
    }
  }

  #isPhase(...phases: RunState["phase"][]): boolean {
    return phases.includes(this.#state.phase);
  }

  #hangUp(): void {
    this.#leg?.hangup().catch((error: unknown) => {
      this.#deps.log.warn({ callId: this.callId, error }, "a leg could not be hung up");
    });
  }

  #startTimer(timer: "ring" | "talk" | "close"): void {
    if (timer === "ring") this.#setTimer("ring", this.#call.ring_timeout_seconds * 1000, { type: "ring_time.over" });
    if (timer === "talk") this.#setTimer("talk", this.#call.max_duration_seconds * 1000, { type: "talk_time.over" });
    if (timer === "close") this.#setTimer("close", CLOSE_WAIT_MS, { type: "close_time.over" });
  }

  /** Looks now and then whether what is held still pays for a while; cuts the call when it no longer does. */
  #watchCredit(): void {
    if (this.#state.phase !== "talking") return;
    if (paidSeconds(this.#call) >= this.#call.max_duration_seconds) return this.#cancelTimer("credit");
    this.#setTimer("credit", this.#unpaidInMs(), { type: "credit.ended", reason: "insufficient_credit" });
    if (needsMoreCredit(this.#call, this.#agoMs(this.#answeredAtMs))) this.#write(() => this.#extendHold());
    this.#schedule("credit-look", CREDIT_LOOK_MS, () => this.#watchCredit());
  }

  async #extendHold(): Promise<void> {
    if (this.#state.phase !== "talking") return;
    const { db } = this.#deps;
    const verdict = await this.#persist(() => extendHold(db, this.callId, this.#call.fence));
    if (verdict.ok) this.#call = verdict.call;
    else this.#setTimer("credit", this.#unpaidInMs(), { type: "credit.ended", reason: verdict.reason });
  }

  #unpaidInMs(): number {
    return Math.max(0, paidSeconds(this.#call) * 1000 - this.#agoMs(this.#answeredAtMs));
  }

  #agoMs(thenMs: number | null): number {
    return thenMs === null ? 0 : this.#deps.monotonicMs() - thenMs;
  }

  #persist<T>(write: () => Promise<T>): Promise<T> {
    return persist(write, {
      signal: this.#abandoned.signal,
      onRetry: (error) => this.#deps.log.warn({ callId: this.callId, error }, "the database is away; the call goes on"),
    });
  }

  /** Queues a write behind the earlier ones. A write that fails for good means that the call is no longer ours. */
  #write(work: () => Promise<unknown>): void {
    this.#writes = this.#writes.then(async () => {
      try {
        if (!this.#abandoned.signal.aborted) await work();
      } catch (error) {
        if (!(error instanceof LeaseLost))
          this.#deps.log.error({ callId: this.callId, error }, "a run failed and was given up");
        this.tell({ type: "lease.lost" });
      }
    });
  }

  #finishAfterWrites(): void {
    this.#writes = this.#writes.then(this.#finish);
  }

  #setTimer(name: string, delayMs: number, event: RunEvent): void {
    this.#schedule(name, delayMs, () => this.tell(event));
  }

  #schedule(name: string, delayMs: number, work: () => void): void {
    this.#timers.get(name)?.();
    this.#timers.set(name, this.#deps.clock.setTimer(delayMs, work));
  }

  #cancelTimer(name: string): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
  }

  #clearTimers(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}
