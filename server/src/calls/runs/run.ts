import type { CallLeg, LegEvent, LegMedia } from "@parley/telephony/carrier";
import { NamedTimers } from "@parley/time/named-timers";
import { isDatabaseAway } from "../../platform/database/failures.ts";
import type { CallRow } from "../call-record.ts";
import type { IncidentReport } from "../incidents/merge-incident.ts";
import { commitEnd, commitIncident, commitNote, commitRequeue, commitRinging, commitTalking } from "./commits.ts";
import { commitBridged, extendHold, RunCredit } from "./credit.ts";
import type { RunCallDeps } from "./deps.ts";
import { RunDial } from "./dial.ts";
import { LeaseLost } from "./lease-store.ts";
import { type RunEffect, type RunEvent, type RunState, stepRun } from "./machine.ts";
import { readCallQuality } from "./quality.ts";
import { openTalk, planTalk, type RunTalk, type TalkContext } from "./talk.ts";
import { RunWrites } from "./writes.ts";

// A far end that sends keys without end, or sound that comes and goes, must not fill the timeline.
const NOTES_MAX = 200;
// A part that keeps failing must not keep the database busy.
const INCIDENT_WRITES_MAX = 200;
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
  readonly #timers: NamedTimers;
  readonly #writes: RunWrites;
  readonly #limits: RunLimits;
  readonly #credit: RunCredit;
  readonly #dialing: RunDial;
  #state: RunState = { phase: "waiting", tries: 0 };
  #call: CallRow;
  #leg: CallLeg | null = null;
  #talk: RunTalk | null = null;
  #notes = 0;
  #incidents = 0;
  #wasDatabaseAway = false;
  #answeredAtMs: number | null = null;
  #endedAtMs: number | null = null;

  constructor(deps: RunCallDeps, claimed: CallRow, sendInMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#deps = deps;
    this.#timers = new NamedTimers(deps.clock);
    this.#call = claimed;
    this.callId = claimed.id;
    this.finished = promise;
    this.#finish = resolve;
    this.#writes = new RunWrites({
      onRetry: (error) => this.#noteRetry(error),
      onFailure: (error) => this.#giveUp(error),
    });
    const call = () => this.#call;
    const tell = (event: RunEvent) => this.tell(event);
    this.#limits = new RunLimits({ timers: this.#timers, call, tell });
    this.#credit = new RunCredit({
      timers: this.#timers,
      call,
      isTalking: () => this.#isPhase("talking"),
      talkedMs: () => this.#agoMs(this.#answeredAtMs),
      extend: () => this.#writes.add(() => this.#extendHold()),
      farewellLeadMs: FAREWELL_LEAD_MS,
      onNearlyEnd: (reason) => tell({ type: "credit.nearly_ended", reason }),
      onEnd: (reason) => tell({ type: "credit.ended", reason }),
    });
    this.#dialing = new RunDial({
      deps,
      call,
      writes: this.#writes,
      isPhase: (...phases) => this.#isPhase(...phases),
      tell,
      warn: (message) => this.#warn(message),
    });
    this.#limits.sendIn(sendInMs);
  }

  /** Whether the callee's phone may be ringing or in use: a stopping worker waits for these. */
  get isLive(): boolean {
    return this.#state.phase !== "waiting" && this.#state.phase !== "over";
  }

  /** Whether the callee is on the line. */
  get isTalking(): boolean {
    return this.#state.phase === "talking";
  }

  /** The sound of the leg while there is one; null before anything was dialed, and when it is over. */
  get line(): LegMedia | null {
    return this.isLive ? (this.#leg?.media ?? null) : null;
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
      case "commit_bridged":
        return this.#writes.add(() => this.#commitBridged(this.#agoMs(this.#answeredAtMs)));
      case "commit_note":
        this.#notes += 1;
        if (this.#notes > NOTES_MAX) return;
        return this.#commit(() => commitNote(db, this.#call, effect.event, effect.data));
      case "commit_incident":
        return this.#noteIncident(effect.incident);
      case "hang_up":
        return this.#hangUp();
      case "say_farewell":
        if (!this.#talk?.sayFarewell() && effect.otherwise === "hang_up") this.tell({ type: "farewell_time.over" });
        return;
      case "settle":
        if (!this.#talk?.isConversing) this.tell({ type: "conversation.finished" });
        return;
      case "start_timer":
        return this.#limits.start(effect.timer);
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

  /** It stands behind what could not be written, and is written after it. */
  #noteRetry(error: unknown): void {
    this.#warn("the database is away; the call goes on")(error);
    if (this.#wasDatabaseAway || !this.isTalking || !isDatabaseAway(error)) return;
    this.#wasDatabaseAway = true;
    const reason = "the database could not be reached for a while";
    this.tell({ type: "incident", incident: { what: "transcript_late", reason, agoMs: 0 } });
  }

  #noteIncident(incident: IncidentReport): void {
    const { what, reason, totalMs } = incident;
    this.#deps.log.warn({ callId: this.callId, what, reason, totalMs }, "conversation incident");
    this.#incidents += 1;
    if (this.#incidents > INCIDENT_WRITES_MAX) return;
    this.#commit(() => commitIncident(this.#deps.db, this.#call, incident));
  }

  #commit(write: () => Promise<unknown>): void {
    this.#writes.add(() => this.#writes.persist(write));
  }

  #end(): void {
    this.#timers.cancelAll();
    this.#talk?.end();
    this.#writes.afterwards(this.#finish);
  }

  #giveUp(error: unknown): void {
    if (!(error instanceof LeaseLost))
      this.#deps.log.error({ callId: this.callId, error }, "a run failed and was given up");
    this.tell({ type: "lease.lost" });
  }

  /** Nothing is sent after the run turned to closing meanwhile. */
  async #dial(): Promise<void> {
    // Both read; nothing is sent unless both agree.
    const [asked, plan] = await Promise.all([
      this.#writes.persist(() => this.#deps.askGate(this.#call)),
      planTalk(this.#talkContext(null)),
    ]);
    if (asked.verdict === "refused") return this.tell({ type: "gate.refused", reason: asked.reason });
    if (asked.verdict === "deferred") return this.tell({ type: "gate.deferred" });
    this.#call = asked.call;
    if (plan === "unavailable") return this.tell({ type: "engine.unavailable" });
    const leg = await this.#dialing.place();
    if (leg === null) return;
    const talk = openTalk(this.#talkContext(leg), leg, plan);
    this.#leg = leg;
    this.#talk = talk;
    talk.prepare();
    leg.onEvent((event) => this.#onLegEvent(talk, event));
    this.tell({ type: "dial.sent" });
    if (!this.#isPhase("placing", "dialing", "ringing", "talking")) this.#hangUp();
  }

  #talkContext(leg: CallLeg | null): TalkContext {
    return {
      deps: this.#deps,
      call: this.#call,
      writes: this.#writes,
      transfer: (on, request) => this.#dialing.transfer(on, request),
      // What an earlier leg has to say, which ended because no trunk had a channel free, means nothing any more.
      tell: (event) => (this.#leg === leg ? this.tell(event) : undefined),
      warn: (message) => this.#warn(message),
    };
  }

  #onLegEvent(talk: RunTalk, event: LegEvent): void {
    if (talk !== this.#talk) return;
    talk.hear(event);
    if (event.type === "ended" && this.#dialing.isHeldUp) this.tell({ type: "trunks.full" });
    else this.tell(event);
  }

  #waitForTrunk(tries: number): void {
    this.#dialing.startOver();
    this.#talk?.end();
    this.#talk = null;
    this.#leg = null;
    this.#endedAtMs = null;
    this.#limits.sendAgain(tries);
  }

  async #commitEnd({ verdict, answered, leg }: Extract<RunEffect, { type: "commit_end" }>): Promise<void> {
    const { db, clock } = this.#deps;
    const endedAtMs = this.#endedAtMs ?? this.#deps.monotonicMs();
    const talkedMs = answered ? endedAtMs - (this.#answeredAtMs ?? endedAtMs) : null;
    const quality =
      answered && this.#leg ? await readCallQuality(this.#leg, clock, this.#warn("the quality is not known")) : null;
    const { carrierName, wasSent } = this.#dialing;
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
    await this.#dialing.settled;
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

  async #extendHold(): Promise<void> {
    if (!this.#isPhase("talking")) return;
    const { db } = this.#deps;
    const verdict = await this.#writes.persist(() => extendHold(db, this.callId, this.#call.fence));
    if (verdict.ok) this.#call = verdict.call;
    else this.#credit.refused(verdict.reason);
  }

  async #commitBridged(talkedMs: number): Promise<void> {
    const to = this.#dialing.transferTo;
    if (to === null) return;
    this.#call = await this.#writes.persist(() => commitBridged(this.#deps.db, this.#call, to, talkedMs));
    this.#credit.watch();
  }

  #agoMs(thenMs: number | null): number {
    return thenMs === null ? 0 : this.#deps.monotonicMs() - thenMs;
  }
}

type RunLimit = Extract<RunEffect, { type: "start_timer" }>["timer"];

interface RunLimitsParts {
  readonly timers: NamedTimers;
  call(): CallRow;
  tell(event: RunEvent): void;
}

/** How long before the callee must be hung up on a goodbye is begun. */
const FAREWELL_LEAD_MS = 6000;
/** In a shorter call there is no time for one. */
const FAREWELL_WORTHWHILE_MS = 20_000;
const TRUNK_WAIT_FIRST_MS = 500;
/** A channel that is kept for whoever waits stands idle for so long at most. */
const TRUNK_WAIT_MAX_MS = 2000;
const FIXED_MS = { farewell: 8000, close: 5000, settle: 1500 } as const;

/** How long each part of a run may take. */
class RunLimits {
  readonly #parts: RunLimitsParts;

  constructor(parts: RunLimitsParts) {
    this.#parts = parts;
  }

  start(limit: RunLimit): void {
    const { ring_timeout_seconds, max_duration_seconds } = this.#parts.call();
    if (limit === "ring") this.#set("ring", ring_timeout_seconds * 1000, { type: "ring_time.over" });
    else if (limit === "talk") this.#limitTalk(max_duration_seconds * 1000);
    else this.#set(limit, FIXED_MS[limit], { type: `${limit}_time.over` });
  }

  /** When the call is to be sent. */
  sendIn(delayMs: number): void {
    this.#set("send", delayMs, { type: "send_time.reached" });
  }

  /** No trunk had a channel free, for so many times now. */
  sendAgain(tries: number): void {
    this.#parts.timers.cancel("ring");
    this.sendIn(Math.min(TRUNK_WAIT_FIRST_MS * 2 ** (tries - 1), TRUNK_WAIT_MAX_MS));
  }

  #limitTalk(talkMaxMs: number): void {
    this.#set("talk", talkMaxMs, { type: "talk_time.over" });
    if (talkMaxMs >= FAREWELL_WORTHWHILE_MS)
      this.#set("talk-nearly", talkMaxMs - FAREWELL_LEAD_MS, { type: "talk_time.nearly_over" });
  }

  #set(name: string, delayMs: number, event: RunEvent): void {
    this.#parts.timers.set(name, delayMs, () => this.#parts.tell(event));
  }
}
