import type { EndReason } from "@parley/contract/calls";
import { makeId } from "@parley/contract/ids";
import type { CallLeg, Carrier, LegEvent } from "@parley/telephony/carrier";
import type { Clock } from "@parley/telephony/clock";
import type { CallRow } from "../calls/call-record.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import { readCallQuality } from "./call-quality.ts";
import { extendHold } from "./credit-watch.ts";
import { commitEnd, commitNote, commitRequeue, commitRinging, commitTalking } from "./run-commits.ts";
import { RunCredit } from "./run-credit.ts";
import { RunJournal } from "./run-journal.ts";
import { stepRun } from "./run-machine.ts";
import type { RunEffect, RunEvent, RunState } from "./run-state.ts";
import { LeaseLost } from "./run-store.ts";
import { RunTimers } from "./run-timers.ts";
import { RunWrites } from "./run-writes.ts";

export interface RunCallDeps {
  readonly db: Database;
  /** The network a call goes out on. It asks the journal before each request, also before the first. */
  chooseCarrier(call: CallRow): Carrier;
  readonly clock: Clock;
  /** A clock that never jumps, for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  /** Asked once more before anything is dialed: why the number may not be called now, or null. */
  whyNotDial(call: CallRow): Promise<EndReason | null>;
}

const CLOSE_WAIT_MS = 5000;
const TRUNK_WAIT_FIRST_MS = 500;
const TRUNK_WAIT_MAX_MS = 4000;
// A far end that sends keys without end, or sound that comes and goes, must not fill the timeline.
const NOTES_MAX = 200;

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
  readonly #timers: RunTimers;
  readonly #writes: RunWrites;
  readonly #credit: RunCredit;
  #state: RunState = { phase: "waiting", tries: 0 };
  #call: CallRow;
  #carrier: Carrier | null = null;
  #journal: RunJournal | null = null;
  #leg: CallLeg | null = null;
  #wasSent = false;
  #notes = 0;
  #answeredAtMs: number | null = null;
  #endedAtMs: number | null = null;

  constructor(deps: RunCallDeps, claimed: CallRow, sendInMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#deps = deps;
    this.#timers = new RunTimers(deps.clock);
    this.#call = claimed;
    this.callId = claimed.id;
    this.finished = promise;
    this.#finish = resolve;
    this.#writes = new RunWrites({
      onRetry: this.#warn("the database is away; the call goes on"),
      onFailure: (error) => this.#giveUp(error),
    });
    this.#credit = new RunCredit({
      timers: this.#timers,
      call: () => this.#call,
      isTalking: () => this.#isPhase("talking"),
      talkedMs: () => this.#agoMs(this.#answeredAtMs),
      extend: () => this.#writes.add(() => this.#extendHold()),
      onEnd: (reason) => this.tell({ type: "credit.ended", reason }),
    });
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
        return this.#writes.add(() => this.#dial());
      case "wait_for_trunk":
        return this.#waitForTrunk(effect.tries);
      case "requeue":
        this.#commit(() => commitRequeue(db, this.#call));
        return this.#end();
      case "commit_ringing":
        return this.#commit(() => commitRinging(db, this.#call));
      case "commit_talking":
        this.#credit.watch();
        return this.#commit(() => commitTalking(db, this.#call, this.#agoMs(this.#answeredAtMs)));
      case "commit_note":
        this.#notes += 1;
        if (this.#notes > NOTES_MAX) return;
        return this.#commit(() => commitNote(db, this.#call, effect.event, effect.data));
      case "hang_up":
        return this.#hangUp();
      case "start_timer":
        return this.#startTimer(effect.timer);
      case "commit_end":
        this.#endedAtMs ??= this.#deps.monotonicMs();
        this.#writes.add(() => this.#commitEnd(effect));
        return this.#end();
      case "abandon":
        this.#writes.abandon(new LeaseLost(`call ${this.callId} was lost`));
        this.#hangUp();
        return this.#end();
    }
  }

  #commit(write: () => Promise<unknown>): void {
    this.#writes.add(() => this.#writes.persist(write));
  }

  #end(): void {
    this.#timers.clear();
    this.#writes.afterwards(this.#finish);
  }

  #giveUp(error: unknown): void {
    if (!(error instanceof LeaseLost))
      this.#deps.log.error({ callId: this.callId, error }, "a run failed and was given up");
    this.tell({ type: "lease.lost" });
  }

  /** Nothing is sent before the journal has committed it, and nothing after the run turned to closing meanwhile. */
  async #dial(): Promise<void> {
    const refused = await this.#writes.persist(() => this.#deps.whyNotDial(this.#call));
    if (refused) return this.tell({ type: "gate.refused", reason: refused });
    const carrier = this.#deps.chooseCarrier(this.#call);
    const journal = this.#openJournal(carrier.name);
    this.#carrier = carrier;
    this.#journal = journal;
    this.#wasSent = true;
    try {
      const { id: callId, phone_number: to, from_number: from, ring_timeout_seconds, simulation } = this.#call;
      const plan = simulation
        ? { simulation: simulation as NonNullable<Parameters<Carrier["place"]>[0]["simulation"]> }
        : {};
      const ringTimeoutMs = ring_timeout_seconds * 1000;
      const leg = await carrier.place({ callId, dialId: makeId("dial"), to, from, ringTimeoutMs, journal, ...plan });
      this.#leg = leg;
      leg.onEvent((event) => this.#onLegEvent(journal, event));
      this.tell({ type: "dial.sent" });
      if (!this.#isPhase("placing", "dialing", "ringing", "talking")) this.#hangUp();
    } catch (error) {
      this.#wasSent = false;
      if (!journal.isHeldUp && this.#isPhase("placing", "dialing"))
        this.#warn("the carrier could not be reached")(error);
      this.tell({ type: journal.isHeldUp ? "trunks.full" : "dial.failed" });
    }
  }

  #openJournal(carrier: string): RunJournal {
    return new RunJournal({
      db: this.#deps.db,
      call: this.#call,
      carrier,
      mayDial: () => this.#isPhase("placing", "dialing"),
      // What comes after the end is tried once: others notice in time when it did not work.
      persist: (write) => (this.#isPhase("over") ? write() : this.#writes.persist(write)),
      onWritten: () => this.tell({ type: "dial.written" }),
      onRefused: () => this.tell({ type: "write_ahead.refused" }),
      onLost: () => this.tell({ type: "lease.lost" }),
      onError: this.#warn("the end of an attempt was not written"),
    });
  }

  #onLegEvent(journal: RunJournal, event: LegEvent): void {
    // Of an earlier try, which ended because no trunk had a channel free.
    if (journal !== this.#journal) return;
    if (event.type === "ended" && journal.isHeldUp) this.tell({ type: "trunks.full" });
    else this.tell(event);
  }

  #waitForTrunk(tries: number): void {
    this.#journal = null;
    this.#leg = null;
    this.#endedAtMs = null;
    this.#timers.cancel("ring");
    const delayMs = Math.min(TRUNK_WAIT_FIRST_MS * 2 ** (tries - 1), TRUNK_WAIT_MAX_MS);
    this.#setTimer("send", delayMs, { type: "send_time.reached" });
  }

  async #commitEnd({ verdict, answered, leg }: Extract<RunEffect, { type: "commit_end" }>): Promise<void> {
    const { db, clock } = this.#deps;
    const endedAtMs = this.#endedAtMs ?? this.#deps.monotonicMs();
    const talkedMs = answered ? endedAtMs - (this.#answeredAtMs ?? endedAtMs) : null;
    const quality =
      answered && this.#leg ? await readCallQuality(this.#leg, clock, this.#warn("the quality is not known")) : null;
    const carrierName = this.#carrier?.name ?? "";
    const wasSent = this.#wasSent && this.#journal?.isWritten === true;
    await this.#writes.persist(() =>
      commitEnd(db, this.#call, {
        verdict,
        carrierName,
        leg,
        wasSent,
        talkedMs,
        quality,
        agoMs: this.#agoMs(endedAtMs),
      }),
    );
    await this.#journal?.settled;
  }

  #isPhase(...phases: RunState["phase"][]): boolean {
    return phases.includes(this.#state.phase);
  }

  #hangUp(): void {
    this.#leg?.hangup().catch(this.#warn("a leg could not be hung up"));
  }

  #warn(message: string): (error: unknown) => void {
    return (error) => this.#deps.log.warn({ callId: this.callId, error }, message);
  }

  #startTimer(timer: "ring" | "talk" | "close"): void {
    if (timer === "ring") this.#setTimer("ring", this.#call.ring_timeout_seconds * 1000, { type: "ring_time.over" });
    if (timer === "talk") this.#setTimer("talk", this.#call.max_duration_seconds * 1000, { type: "talk_time.over" });
    if (timer === "close") this.#setTimer("close", CLOSE_WAIT_MS, { type: "close_time.over" });
  }

  async #extendHold(): Promise<void> {
    if (!this.#isPhase("talking")) return;
    const { db } = this.#deps;
    const verdict = await this.#writes.persist(() => extendHold(db, this.callId, this.#call.fence));
    if (verdict.ok) this.#call = verdict.call;
    else this.#credit.refused(verdict.reason);
  }

  #agoMs(thenMs: number | null): number {
    return thenMs === null ? 0 : this.#deps.monotonicMs() - thenMs;
  }

  #setTimer(name: string, delayMs: number, event: RunEvent): void {
    this.#timers.set(name, delayMs, () => this.tell(event));
  }
}
